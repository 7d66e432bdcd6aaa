#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/workloads/workload.h"
#include "tests/alignment/bigram_lm.h"
#include "tests/alignment/question_task_stub.h"

namespace paretofl {

/// GRPO of a bigram model: each client has as many rewards of TokenQuestions as `rewards` says.
class TokenQuestionsWorkload : public Workload {
 public:
  explicit TokenQuestionsWorkload(std::vector<std::size_t> rewards, std::int64_t steps_per_generation = 1)
      : model_(std::make_shared<BigramLm>(5)) {
    for (const std::size_t count : rewards) {
      tasks_.push_back(std::make_shared<TokenQuestions>(count));
      if (count > names_.size()) names_ = tasks_.back()->reward_names();
    }
    options_.prompts = 2;
    options_.completions = 6;
    options_.max_new_tokens = 5;
    options_.steps_per_generation = steps_per_generation;
  }

  int num_clients() const override { return static_cast<int>(tasks_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return model_->adapter_layout(); }
  Parameters initial_parameters() const override { return Parameters(layout()); }
  bool has_gradients() const override { return false; }
  std::unique_ptr<GradientOracle> oracle(int) const override { return nullptr; }
  bool has_reward_steps() const override { return true; }
  std::unique_ptr<RewardSteps> reward_steps(int client) const override {
    return std::make_unique<GrpoSteps>(model_, tasks_[static_cast<std::size_t>(client)], options_, std::vector<TokenId>{});
  }
  bool has_split(Split) const override { return false; }
  Evaluation evaluate(std::span<const float>, Split, ThreadPool&) const override { return {}; }

 private:
  std::shared_ptr<const BigramLm> model_;
  std::vector<std::shared_ptr<const TokenQuestions>> tasks_;
  std::vector<std::string> names_;
  GrpoOptions options_;
};

}  // namespace paretofl
