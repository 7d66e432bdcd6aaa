#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "paretofl/alignment/completion_task.h"
#include "paretofl/alignment/drawn_completions.h"
#include "paretofl/alignment/kl_controller.h"
#include "paretofl/alignment/ppo_options.h"
#include "paretofl/alignment/value_heads.h"
#include "paretofl/local/objective_steps.h"

namespace paretofl {

/// Proximal policy optimization (Schulman et al. 2017) of a language model's adapter for M objectives at once (FIRM,
/// section 3): theta is the adapter [d]. A batch of completions is drawn with the theta of its first step, and serves
/// epochs x minibatches local steps. Objective k has rewards r_k at a completion's end, -kl_coefficient log(policy /
/// reference) at every token (the reference is the model without the adapter), a value head, generalized advantages A_k,
/// and the loss -mean min(ratio A_k, clip(ratio, 1 - epsilon, 1 + epsilon) A_k) over the tokens of a minibatch. All
/// losses share one forward pass. Value heads and the price of KL stay with the client.
///
/// Algorithm 1 draws completions at every local step; here, as the epochs and minibatches of Appendix A ask, a batch serves
/// several, and lambda is solved for at every minibatch, each being one of the K steps. What the paper leaves open: the
/// target of the adaptive KL controller is the mean per token of log(policy / reference), or with `kl_target_per` "sequence", as in TRL's
/// PPO, the mean over completions of its sum over their tokens; values don't train the adapter, as actor and critic have learning rates
/// of their own.
///
/// With `generation_weights` "int8" tokens are drawn from a model that differs slightly from the policy (GenerationWeights). Values, and
/// the log-probabilities in ratios and in the price of KL, are then those of forward passes of the policy, and of the reference, over the
/// completions; the difference between sampler and policy is not corrected.
class PpoSteps : public ObjectiveSteps {
 public:
  /// Throws Error on a task without prompts, or if the model cannot draw with the weights that the options ask for.
  PpoSteps(std::shared_ptr<const CausalLm> model, std::shared_ptr<const CompletionTask> task, const PpoOptions& options,
           std::vector<TokenId> stop, CompletionEnds ends = {});

  double num_samples() const override { return static_cast<double>(task_->num_prompts()); }
  std::size_t num_objectives() const override { return task_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return model_->adapter_layout(); }

  void start_round(StreamId stream) override;
  /// Throws Error if a reward is not finite.
  void jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) override;
  /// Means over the round's batches: "reward" [M], "kl" (per token), "kl_coefficient", "response_length"; over its steps:
  /// "value_loss" [M], "clipped" (share of tokens whose gradient is cut off, over objectives).
  std::map<std::string, std::vector<double>> figures() const override;

  void save(Record& state) const override;
  void load(const Record& state) override;

 private:
  struct Batch {
    DrawnCompletions drawn;
    std::vector<double> log_ratios;  // [N] log(policy / reference) when drawn
    std::vector<double> values;      // [M, N] when drawn
    std::vector<double> returns;     // [M, N]
    std::vector<double> advantages;  // [M, N]
  };
  struct Minibatch {
    std::vector<TokenSequence> sequences;
    std::vector<std::size_t> tokens;  // [n] positions among the batch's N
  };

  void draw_batch(std::int64_t number, std::span<const float> theta);
  /// Values and log ratios of the batch as the sampler reports them, which is the policy.
  void take_sampled_terms(std::span<const Completion> completions);
  /// The same, with log-probabilities in place of the sampler's, by forward passes of policy and reference over the completions.
  void take_policy_terms(std::span<const float> theta);
  /// Of the last hidden states [N, H] and the reference's log-probabilities [N].
  void set_terms(std::span<const float> hidden, std::span<const float> reference);
  /// Of completions with these rewards [B, M].
  void set_advantages(std::span<const double> rewards);
  Minibatch minibatch(std::int64_t step) const;
  /// [M, n] of a [M, N] array.
  std::vector<double> at(const std::vector<double>& of_batch, const Minibatch& part) const;
  void note(const char* figure, std::span<const double> values);

  std::shared_ptr<const CausalLm> model_;
  std::shared_ptr<const CompletionTask> task_;
  PpoOptions options_;
  Sampling sampling_;
  ValueHeads critics_;
  KlController kl_;

  // Only within a round:
  std::optional<StreamId> stream_;
  std::int64_t last_step_ = -1;
  Batch batch_;
  struct Mean {
    std::vector<double> sum;
    double count = 0;
  };
  std::map<std::string, Mean> figures_;
};

}  // namespace paretofl
