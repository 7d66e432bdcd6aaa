#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "paretofl/alignment/drawn_completions.h"
#include "paretofl/alignment/group_advantages.h"
#include "paretofl/alignment/grpo_loss.h"
#include "paretofl/alignment/grpo_options.h"
#include "paretofl/alignment/question_task.h"
#include "paretofl/local/reward_steps.h"

namespace paretofl {

/// Group relative policy optimization of a language model's adapter (Shao et al. 2024; FedMOA, section 2): theta is the
/// adapter [d]. A batch is P prompts with G completions each, drawn with the theta of its first step; it serves `iterations`
/// local steps. Advantages are those of the weighted rewards within each prompt's group (group_advantages.h), the loss is
/// grpo_loss.h's over the whole batch, whose gradient is added up over microbatches.
///
/// A reward's own loss has that reward alone (weight 1) and no price of KL, which is no reward's. Its gradient is taken with
/// respect to the mean activation of one layer (ActivationGradients), as batches differ in length from step to step.
class GrpoSteps : public RewardSteps {
 public:
  /// Throws Error on a task without prompts or rewards, a layer that the model does not have, or options that exclude each other.
  GrpoSteps(std::shared_ptr<const CausalLm> model, std::shared_ptr<const QuestionTask> task, const GrpoOptions& options,
            std::vector<TokenId> stop);

  double num_samples() const override { return static_cast<double>(task_->num_prompts()); }
  const std::string& task() const override { return task_->label(); }
  const std::vector<std::string>& reward_names() const override { return task_->reward_names(); }
  const std::shared_ptr<const Layout>& layout() const override { return model_->adapter_layout(); }
  std::size_t hidden_size() const override { return static_cast<std::size_t>(model_->config().hidden_size); }

  void start_round(StreamId stream) override;
  /// Throws Error before the first round was started, on steps out of order, on weights or room of another size than the rewards
  /// ask for, and where a reward is not finite.
  double step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
              std::span<double> hidden) override;
  /// Means over the round's batches: "reward" [K], "response_length" in tokens, "flat_prompts", the share of prompts all of
  /// whose completions have the same weighted reward, "truncated", the share of completions without a stop token; over its steps, as
  /// shares of the tokens that count in the loss: "clipped", those whose gradient is cut off (with cispo: whose ratio is clipped), and of
  /// these "clipped_low" and "clipped_high", at the lower and the upper bound; and, where KL has a price, "kl" per token.
  std::map<std::string, std::vector<double>> figures() const override;
  bool has_evaluation() const override { return task_->held_out() != nullptr; }
  /// The most probable completion of each question. Throws Error if there are none.
  std::vector<double> evaluate(std::span<const float> theta) const override;

 private:
  struct Batch {
    DrawnCompletions drawn;         // B = P G
    std::vector<double> reference;  // [N] where KL has a price
    std::vector<double> rewards;    // [B, K]
  };
  /// What the steps of a round add to its figures.
  struct Sums {
    std::vector<double> rewards;
    double batches = 0;
    double response_length = 0;
    double steps = 0;
    double flat_prompts = 0;
    double clipped = 0;
    double clipped_low = 0;
    double clipped_high = 0;
    double truncated = 0;
    double kl = 0;
  };

  std::size_t kinds() const { return task_->num_objectives(); }
  void draw_batch(std::int64_t number, std::span<const float> theta);

  std::shared_ptr<const CausalLm> model_;
  std::shared_ptr<const QuestionTask> task_;
  GrpoOptions options_;
  AdvantageRule advantages_;
  GrpoRule rule_;
  Sampling sampling_;

  // Only within a round:
  std::optional<StreamId> stream_;
  std::int64_t last_step_ = -1;
  Batch batch_;
  Sums sums_;
};

}  // namespace paretofl
