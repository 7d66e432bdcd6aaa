#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Clients whose rewards have hypergradients that a test says, 1, 0 or -1 for each reward, at every step that has one before it. The model
/// is one number, which stays.
class FixedHypergradientsWorkload : public Workload {
 public:
  /// `signs` [clients, K], K of each client's own.
  explicit FixedHypergradientsWorkload(std::vector<std::vector<int>> signs) : signs_(std::move(signs)), layout_(flat_layout("theta", 1)) {
    for (const std::vector<int>& own : signs_) {
      for (std::size_t k = names_.size(); k < own.size(); ++k) names_.push_back(k == 0 ? "accuracy" : "reward_" + std::to_string(k));
    }
  }

  int num_clients() const override { return static_cast<int>(signs_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override { return Parameters(layout()); }
  bool has_gradients() const override { return false; }
  std::unique_ptr<GradientOracle> oracle(int) const override { return nullptr; }
  bool has_reward_steps() const override { return true; }
  std::unique_ptr<RewardSteps> reward_steps(int client) const override {
    const std::vector<int>& own = signs_[static_cast<std::size_t>(client)];
    return std::make_unique<Steps>(own, std::vector<std::string>(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(own.size())),
                                   layout_);
  }
  bool has_split(Split) const override { return false; }
  Evaluation evaluate(std::span<const float>, Split, ThreadPool&) const override { return {}; }

 private:
  /// The gradient of a reward keeps its sign, changes it at every step, or is 0.
  class Steps : public RewardSteps {
   public:
    Steps(std::vector<int> signs, std::vector<std::string> names, std::shared_ptr<const Layout> layout)
        : signs_(std::move(signs)), names_(std::move(names)), layout_(std::move(layout)) {}

    double num_samples() const override { return 1; }
    const std::string& task() const override { return task_; }
    const std::vector<std::string>& reward_names() const override { return names_; }
    const std::shared_ptr<const Layout>& layout() const override { return layout_; }
    std::size_t hidden_size() const override { return 1; }
    void start_round(StreamId) override {}
    double step(std::int64_t step, std::span<const float>, std::span<const double>, std::span<float> gradient,
                std::span<double> hidden) override {
      gradient[0] = 0;
      for (std::size_t k = 0; k < hidden.size(); ++k) hidden[k] = signs_[k] < 0 && step % 2 == 1 ? -1 : std::abs(signs_[k]);
      return 0;
    }
    std::map<std::string, std::vector<double>> figures() const override { return {{"reward", std::vector<double>(names_.size())}}; }
    bool has_evaluation() const override { return false; }
    std::vector<double> evaluate(std::span<const float>) const override { return std::vector<double>(names_.size()); }

   private:
    std::vector<int> signs_;
    std::vector<std::string> names_;
    std::shared_ptr<const Layout> layout_;
    std::string task_ = "fixed";
  };

  std::vector<std::vector<int>> signs_;
  std::shared_ptr<const Layout> layout_;
  std::vector<std::string> names_;
};

}  // namespace paretofl
