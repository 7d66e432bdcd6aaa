#include "paretofl/alignment/grpo_options.h"

#include "paretofl/alignment/drawing_weights.h"
#include "paretofl/alignment/group_advantages.h"
#include "paretofl/alignment/grpo_loss.h"

namespace paretofl {

void GrpoOptions::describe(OptionVisitor& visit) {
  visit.integer("prompts", prompts, 1, kMaxInt, "prompts of a batch (P)");
  visit.integer("completions", completions, 2, kMaxInt, "completions per prompt (G); a batch has P x G");
  visit.integer("microbatch", microbatch, 1, kMaxInt, "completions whose gradients are computed at once");
  visit.integer("iterations", iterations, 1, kMaxInt, "local steps on a batch before the next one is drawn");
  visit.integer(
      "steps_per_generation", steps_per_generation, 1, kMaxInt,
      "batches drawn at once and mixed; each is one local step, and all of them are repeated iterations times; divides local_steps");
  describe_advantages(visit, advantages, scale_rewards, unbiased_deviation);
  describe_grpo_rule(visit, loss_type, importance_sampling_level);
  visit.real("clip", clip, 0, 1, "largest difference of the probability ratio from 1 before it is clipped (epsilon)");
  visit.real(
      "epsilon_high", epsilon_high, 0, kInfinity,
      "largest excess of the ratio over 1 before it is clipped, where that is not clip; with cispo the largest ratio itself; 0: clip");
  visit.real("delta", delta, 0, kInfinity, "largest ratio under negative advantages (two-sided clipping); 0: none");
  visit.boolean("mask_truncated_completions", mask_truncated_completions,
                "leave completions that max_new_tokens cut off out of the loss; their rewards still count in their group");
  visit.choice(
      "old_logprobs", old_logprobs, {"sampler", "training"},
      "what ratios compare with: the log-probabilities that tokens were drawn with, at temperature 1 and without dropout; or those "
      "of the first training pass on a batch, at the sampling temperature and with the dropout masks of all passes on it");
  visit.real("entropy_coef", entropy_coef, 0, kInfinity, "coefficient of the mean entropy per token, which is added to what is maximized");
  visit.integer("dynamic_sampling", dynamic_sampling, 0, kMaxInt,
                "most further draws of prompts in place of those whose completions all have the same weighted reward; 0: none");
  visit.real("kl_coefficient", kl_coefficient, 0, kInfinity,
             "coefficient of the KL penalty towards the reference, by default the base model, per token (beta)");
  visit.boolean("sync_ref_model", sync_ref_model,
                "let the KL penalty's reference be the model that a round starts with, and follow the policy, instead of the base model");
  visit.real("ref_model_mixup_alpha", ref_model_mixup_alpha, 0, 1,
             "share of the policy's adapter in the reference's when it follows; the rest is the reference's before");
  visit.integer("ref_model_sync_steps", ref_model_sync_steps, 1, kMaxInt, "local steps of a round after which the reference follows again");
  visit.integer("hidden_layer", hidden_layer, -1, kMaxInt,
                "each reward's gradient is taken with respect to the activations of this layer; -1: the last hidden states");
  visit.integer("max_new_tokens", max_new_tokens, 1, kMaxInt, "longest completion");
  visit.real("temperature", temperature, 0.01, kInfinity, "sampling temperature");
  visit.integer("top_k", top_k, 0, kMaxInt, "sample from the k most probable tokens only; 0: from all");
  visit.real("top_p", top_p, 0.01, 1, "sample from the smallest set of tokens with this probability");
  visit.real("min_p", min_p, 0, 1, "sample from the tokens with at least this share of the most probable one's probability; 0: from all");
  describe_generation_weights(visit, generation_weights);
}

}  // namespace paretofl
