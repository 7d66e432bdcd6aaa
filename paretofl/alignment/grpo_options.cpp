#include "paretofl/alignment/grpo_options.h"

#include "paretofl/alignment/group_advantages.h"
#include "paretofl/alignment/grpo_loss.h"

namespace paretofl {

void GrpoOptions::describe(OptionVisitor& visit) {
  visit.integer("prompts", prompts, 1, kMaxInt, "prompts of a batch (P)");
  visit.integer("completions", completions, 2, kMaxInt, "completions per prompt (G); a batch has P x G");
  visit.integer("microbatch", microbatch, 1, kMaxInt, "completions whose gradients are computed at once");
  visit.integer("iterations", iterations, 1, kMaxInt, "local steps on a batch before the next one is drawn");
  describe_advantages(visit, advantages, scale_rewards, unbiased_deviation);
  describe_grpo_rule(visit, loss_type, importance_sampling_level);
  visit.real("clip", clip, 0, 1, "largest difference of the probability ratio from 1 before it is clipped (epsilon)");
  visit.real(
      "epsilon_high", epsilon_high, 0, kInfinity,
      "largest excess of the ratio over 1 before it is clipped, where that is not clip; with cispo the largest ratio itself; 0: clip");
  visit.real("delta", delta, 0, kInfinity, "largest ratio under negative advantages (two-sided clipping); 0: none");
  visit.boolean("mask_truncated_completions", mask_truncated_completions,
                "leave completions that max_new_tokens cut off out of the loss; their rewards still count in their group");
  visit.real("kl_coefficient", kl_coefficient, 0, kInfinity, "coefficient of the KL penalty towards the base model, per token (beta)");
  visit.integer("hidden_layer", hidden_layer, -1, kMaxInt,
                "each reward's gradient is taken with respect to the activations of this layer; -1: the last hidden states");
  visit.integer("max_new_tokens", max_new_tokens, 1, kMaxInt, "longest completion");
  visit.real("temperature", temperature, 0.01, kInfinity, "sampling temperature");
  visit.integer("top_k", top_k, 0, kMaxInt, "sample from the k most probable tokens only; 0: from all");
  visit.real("top_p", top_p, 0.01, 1, "sample from the smallest set of tokens with this probability");
}

}  // namespace paretofl
