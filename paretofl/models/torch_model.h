#pragma once

#include <memory>
#include <vector>

#include "paretofl/models/model.h"
#include "paretofl/models/model_sizes.h"

namespace paretofl {

struct TorchGraph;

/// Any LibTorch forward function (torch_graph.h) as a Model: one forward pass, then one backward pass by
/// autograd per row of the Jacobian. The parameters are one flat leaf that the slices are views of, so
/// gradients arrive flat. LibTorch and OpenBLAS are held to one thread from the first call on, on every
/// thread that calls.
class TorchModel final : public Model {
 public:
  explicit TorchModel(TorchGraph graph);
  ~TorchModel() override;

  const std::shared_ptr<const Layout>& layout() const override;
  int num_objectives() const override { return static_cast<int>(sizes_.objectives()); }
  void initialize(Random random, std::span<float> parameters) const override;
  void jacobian(std::span<const float> parameters, const Batch& batch, Random dropout, std::span<double> losses,
                std::span<float> jacobian) override;
  void weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights, Random dropout,
                         std::span<double> losses, std::span<float> gradient) override;
  double objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random dropout,
                            std::span<float> gradient) override;
  void evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) override;
  std::optional<NetworkGraph> network(std::span<const std::string> objectives) const override;

 private:
  struct Pass;

  std::unique_ptr<const TorchGraph> graph_;
  ModelSizes sizes_;
  std::vector<int> all_;  // the objectives 0 to M - 1
};

}  // namespace paretofl
