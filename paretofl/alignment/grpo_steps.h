#pragma once

#include <functional>
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
/// local steps. With `steps_per_generation` S above 1, S P prompts are drawn at once, advantages are those of all of them, and their
/// completions are shuffled and dealt into S batches, as TRL 1.16 does: S local steps in a row have one of them each, and then again,
/// `iterations` times; a round's local steps have to be a multiple of S. Ratios compare with the log-probabilities when they were drawn.
/// With `dynamic_sampling` its flat prompts are replaced by others while further draws bring any (DAPO, Yu et al. 2025, section 3.2).
/// Advantages are those of the weighted rewards within each prompt's group (group_advantages.h), the loss is grpo_loss.h's over the whole
/// batch, whose gradient is added up over microbatches.
///
/// With old_logprobs "training", all steps on a batch have the same dropout masks and take log-probabilities at the sampling temperature,
/// and ratios compare with the first of these steps, in which they are exactly 1. (`top_k`, `top_p` and `min_p` stay outside of them.)
///
/// With `generation_weights` "int8" tokens are drawn from a model that differs slightly from the policy (GenerationWeights).
/// Log-probabilities are then not the sampler's but those of forward passes of the policy, and of the reference, over the completions; the
/// difference between sampler and policy is not corrected. Where a draw serves one step at a time and the adapter has no dropout, the
/// policy's are those of the training pass in the first of these steps, and no other pass is needed.
///
/// With `sync_ref_model` the reference is an adapter of its own (TR-DPO, Gorbatovski et al. 2024, eq. 4, on the adapter's numbers): theta
/// at the first step of a round, and after every `ref_model_sync_steps` steps of it the mean of theta and itself, weighted by alpha and
/// 1 - alpha. It does not outlast the round.
///
/// A reward's own loss has that reward alone (weight 1), no price of KL and no entropy, which are no reward's. Its gradient is taken with
/// respect to the mean activation of one layer (ActivationGradients), as batches differ in length from step to step.
class GrpoSteps : public RewardSteps {
 public:
  /// What is told of completions as they are drawn: the round's stream, the prompts [B], the completions [B] and their rewards [B, K],
  /// row-major. Draws that serve no step, as flat prompts' do, are not told.
  using Listener = std::function<void(StreamId, std::span<const std::size_t>, std::span<const Completion>, std::span<const double>)>;

  /// Throws Error on a task without prompts or rewards, a layer that the model does not have, or options that exclude each other.
  GrpoSteps(std::shared_ptr<const CausalLm> model, std::shared_ptr<const QuestionTask> task, const GrpoOptions& options,
            std::vector<TokenId> stop, CompletionEnds ends = {}, Listener listener = {});

  double num_samples() const override { return static_cast<double>(task_->num_prompts()); }
  const std::string& task() const override { return task_->label(); }
  const std::vector<std::string>& reward_names() const override { return task_->reward_names(); }
  const std::shared_ptr<const Layout>& layout() const override { return model_->adapter_layout(); }
  std::size_t hidden_size() const override { return static_cast<std::size_t>(model_->config().hidden_size); }

  void expect_local_steps(std::int64_t local_steps) const override;
  void start_round(StreamId stream) override;
  /// Throws Error before the first round was started, on steps out of order, on weights or room of another size than the rewards
  /// ask for, and where a reward is not finite.
  double step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
              std::span<double> hidden) override;
  /// Means over the round's draws, with those whose prompts were replaced: "reward" [K]; "reward_deviation" [K], the standard deviation in
  /// a batch, and "flat_groups" [K], the share of prompts all of whose completions have the same reward; "shortest_response",
  /// "longest_response" and "response_length" in tokens, "flat_prompts", the share of prompts all of whose completions have the same
  /// weighted reward, "truncated", the share of completions without a stop token, and with dynamic_sampling "redraws"; over its steps, as
  /// shares of the tokens that count in the loss: "clipped", those whose gradient is cut off (with cispo: whose ratio is clipped), and of
  /// these "clipped_low" and "clipped_high", at the lower and the upper bound; per token "entropy" in nats, "log_ratio", the mean of |log
  /// ratio|, and, where KL has a price, "kl".
  std::map<std::string, std::vector<double>> figures() const override;
  bool has_evaluation() const override { return task_->held_out() != nullptr; }
  /// The most probable completion of each question. Throws Error if there are none.
  std::vector<double> evaluate(std::span<const float> theta) const override;

 private:
  struct Batch {
    DrawnCompletions drawn;          // B = S P G, in the order of the steps
    std::vector<double> reference;   // [N] where KL has a price
    std::vector<double> rewards;     // [B, K], by prompts
    std::vector<std::size_t> order;  // [B], the place of each drawn one among the rewards
  };
  /// Prompts of one draw, with their completions.
  struct Draw {
    std::vector<std::size_t> chosen;      // [B]
    std::vector<Completion> completions;  // [B]
    std::vector<double> rewards;          // [B, K]
  };
  /// What the steps of a round add to its figures.
  struct Sums {
    std::vector<double> rewards;
    std::vector<double> deviations;   // of each reward
    std::vector<double> flat_groups;  // by each reward
    double draws = 0;
    double response_length = 0;
    double steps = 0;
    double counted_steps = 0;  // in which a token counts
    double flat_prompts = 0;
    double clipped = 0;
    double clipped_low = 0;
    double clipped_high = 0;
    double truncated = 0;
    double shortest = 0;
    double longest = 0;
    double redraws = 0;
    double entropy = 0;
    double log_ratio = 0;
    double kl = 0;
  };

  std::size_t kinds() const { return task_->num_objectives(); }
  bool rounds() const { return sampling_.weights == GenerationWeights::kInt8; }
  bool own_ratios() const { return options_.old_logprobs == "training"; }
  /// Whether the log-probabilities that ratios compare with are those of the first training pass over a batch.
  bool first_pass_is_old() const { return options_.steps_per_generation == 1 && (own_ratios() || (rounds() && !model_->drops_out())); }
  /// Log-probabilities of completions [B] under an adapter, as the loss takes them.
  std::vector<std::vector<float>> logprobs(const DrawnCompletions& drawn, std::span<const float> adapter) const;
  void follow(std::int64_t step, std::span<const float> theta);
  Draw draw(const Random& random, std::span<const float> theta) const;
  /// Replaces flat prompts by further draws, as far as they suffice.
  Draw without_flat_prompts(Draw drawn, const Random& random, std::span<const float> theta, std::span<const double> weights);
  void draw_batch(std::int64_t number, std::span<const float> theta, std::span<const double> weights);
  void note_draw(const Draw& draw);
  /// Takes log-probabilities in training mode, with the dropout masks that all steps on the batch share, as those when it was drawn.
  void note_training_logprobs(const Random& dropout, std::span<const float> theta);
  std::size_t batch_size() const { return static_cast<std::size_t>(options_.prompts * options_.completions); }

  std::shared_ptr<const CausalLm> model_;
  std::shared_ptr<const QuestionTask> task_;
  GrpoOptions options_;
  AdvantageRule advantages_;
  GrpoRule rule_;
  Sampling sampling_;
  Listener listener_;

  // Only within a round:
  std::optional<StreamId> stream_;
  std::int64_t last_step_ = -1;
  std::vector<float> reference_;  // [d] with sync_ref_model
  Batch batch_;
  Sums sums_;
};

}  // namespace paretofl
