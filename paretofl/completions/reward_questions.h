#pragma once

#include "paretofl/alignment/question_task.h"
#include "paretofl/completions/reward_task.h"

namespace paretofl {

/// Questions of one kind of task whose answers are judged as texts by named rewards, the first of which is the accuracy.
class RewardQuestions : public QuestionTask {
 public:
  /// `names` [K] are those of the task's rewards.
  RewardQuestions(std::string label, std::vector<std::string> names, RewardTask task, std::shared_ptr<const QuestionTask> held_out)
      : label_(std::move(label)), names_(std::move(names)), task_(std::move(task)), held_out_(std::move(held_out)) {}

  std::size_t num_objectives() const override { return task_.num_objectives(); }
  std::size_t num_prompts() const override { return task_.num_prompts(); }
  const TokenIds& prompt(std::size_t index) const override { return task_.prompt(index); }
  std::vector<double> rewards(std::span<const std::size_t> prompts, std::span<const Completion> completions) const override {
    return task_.rewards(prompts, completions);
  }
  const std::string& label() const override { return label_; }
  const std::vector<std::string>& reward_names() const override { return names_; }
  const QuestionTask* held_out() const override { return held_out_.get(); }

  const RewardTask& texts() const { return task_; }

 private:
  std::string label_;
  std::vector<std::string> names_;
  RewardTask task_;
  std::shared_ptr<const QuestionTask> held_out_;
};

}  // namespace paretofl
