#pragma once

#include <memory>
#include <optional>

#include "paretofl/local/gradient_oracle.h"
#include "paretofl/local/objective_steps.h"

namespace paretofl {

/// The steps of a client whose gradients a GradientOracle knows: step s takes minibatch s of the round's stream, all
/// objectives on the same one. Keeps no state, and answers any step in any order.
class OracleSteps : public ObjectiveSteps {
 public:
  explicit OracleSteps(std::unique_ptr<GradientOracle> oracle) : oracle_(std::move(oracle)) {}

  double num_samples() const override { return oracle_->num_samples(); }
  std::size_t num_objectives() const override { return oracle_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return oracle_->layout(); }

  void start_round(StreamId stream) override { draws_.emplace(stream, "train"); }
  /// Throws Error before the first round was started.
  void jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) override;

 private:
  std::unique_ptr<GradientOracle> oracle_;
  std::optional<Random> draws_;  ///< of the round
};

}  // namespace paretofl
