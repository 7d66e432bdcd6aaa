#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/client_models.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Clients with one exact loss each, a_i / 2 ||x - c_i||^2 for x [d], which starts at zero: no noise, so that everything can be computed by
/// hand. The mean loss has its minimum at sum_i a_i c_i / sum_i a_i, and curvatures a_i that differ lead federated averaging elsewhere.
class KnownMinimizers : public Workload {
 public:
  struct Client {
    double curvature;
    std::vector<float> minimizer;
    double samples = 1;
  };

  explicit KnownMinimizers(std::vector<Client> clients)
      : clients_(std::move(clients)), layout_(flat_layout("x", clients_.front().minimizer.size())) {}

  int num_clients() const override { return static_cast<int>(clients_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override { return Parameters(layout_); }
  std::unique_ptr<GradientOracle> oracle(int client) const override {
    return std::make_unique<Oracle>(clients_[static_cast<std::size_t>(client)], layout_);
  }
  bool has_local_losses() const override { return true; }
  bool has_split(Split) const override { return false; }
  Evaluation evaluate(std::span<const float>, Split, ThreadPool&) const override { return {}; }

 private:
  class Oracle : public GradientOracle {
   public:
    Oracle(const Client& client, const std::shared_ptr<const Layout>& layout) : client_(client), layout_(layout) {}

    double num_samples() const override { return client_.samples; }
    std::size_t num_objectives() const override { return 1; }
    const std::shared_ptr<const Layout>& layout() const override { return layout_; }
    void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
      losses[0] = objective_gradient(theta, 0, draw, jacobian);
    }
    void weighted_gradient(std::span<const float> theta, std::span<const double> weights, const Draw& draw, std::span<double> losses,
                           std::span<float> gradient) const override {
      losses[0] = objective_gradient(theta, 0, draw, gradient);
      for (float& x : gradient) x *= static_cast<float>(weights[0]);
    }
    double objective_gradient(std::span<const float> theta, std::size_t, const Draw&, std::span<float> gradient) const override {
      for (std::size_t j = 0; j < theta.size(); ++j)
        gradient[j] = static_cast<float>(client_.curvature) * (theta[j] - client_.minimizer[j]);
      return local_losses(theta)[0];
    }
    std::vector<double> local_losses(std::span<const float> theta) const override {
      double square = 0;
      for (std::size_t j = 0; j < theta.size(); ++j) square += double{theta[j] - client_.minimizer[j]} * (theta[j] - client_.minimizer[j]);
      return {client_.curvature / 2 * square};
    }

   private:
    const Client& client_;
    std::shared_ptr<const Layout> layout_;
  };

  std::vector<Client> clients_;
  std::vector<std::string> names_{"f"};
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
