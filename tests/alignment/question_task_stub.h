#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "paretofl/alignment/question_task.h"

namespace paretofl {

/// Reward k is the share of a completion that is token k + 1; the prompts are three of few tokens.
class TokenQuestions : public QuestionTask {
 public:
  explicit TokenQuestions(std::size_t rewards = 2, bool with_test = true) {
    for (std::size_t k = 0; k < rewards; ++k) names_.push_back(k == 0 ? "accuracy" : "share_" + std::to_string(k));
    if (with_test) held_out_ = std::make_shared<TokenQuestions>(rewards, false);
  }

  const std::string& label() const override { return label_; }
  const std::vector<std::string>& reward_names() const override { return names_; }
  const QuestionTask* held_out() const override { return held_out_.get(); }
  std::size_t num_objectives() const override { return names_.size(); }
  std::size_t num_prompts() const override { return prompts_.size(); }
  const TokenIds& prompt(std::size_t index) const override { return prompts_[index]; }
  std::vector<double> rewards(std::span<const std::size_t>, std::span<const Completion> completions) const override {
    std::vector<double> rewards;
    for (const Completion& completion : completions) {
      for (std::size_t k = 0; k < names_.size(); ++k) {
        const auto wanted = std::count(completion.ids.begin(), completion.ids.end(), static_cast<TokenId>(k + 1));
        rewards.push_back(static_cast<double>(wanted) / static_cast<double>(completion.ids.size()));
      }
    }
    return rewards;
  }

 private:
  std::string label_ = "tokens";
  std::vector<std::string> names_;
  std::shared_ptr<const TokenQuestions> held_out_;
  std::vector<TokenIds> prompts_{{0}, {3, 4}, {4}};
};

}  // namespace paretofl
