#include "paretofl/alignment/ppo_options.h"

#include "paretofl/alignment/drawing_weights.h"

namespace paretofl {

void PpoOptions::describe(OptionVisitor& visit) {
  visit.integer("batch_size", batch_size, 1, kMaxInt, "completions in a batch (B)");
  visit.integer("minibatch_size", minibatch_size, 1, kMaxInt, "completions of one local step");
  visit.integer("microbatch", microbatch, 0, kMaxInt,
                "completions of a minibatch whose gradients are computed at once: fewer need less memory for activations, and draw other "
                "dropout masks; 0: all");
  visit.integer("epochs", epochs, 1, kMaxInt, "passes over a batch before the next one is drawn");
  visit.real("clip", clip, 0, 1, "largest difference of the probability ratio from 1 before it is clipped (epsilon)");
  visit.real("gamma", gamma, 0, 1, "discount factor");
  visit.real("gae_lambda", gae_lambda, 0, 1, "lambda of generalized advantage estimation");
  visit.boolean("whiten_advantages", whiten_advantages, "normalize each objective's advantages in a batch to mean 0 and variance 1");
  visit.real("critic_lr", critic_lr, 0, kInfinity, "learning rate of the value heads");
  visit.real("value_clip", value_clip, 0, kInfinity, "largest change of a value before its loss is clipped; 0: no clipping");
  visit.real("kl_coefficient", kl_coefficient, 0, kInfinity, "initial coefficient of log(policy / reference) per token");
  visit.real("kl_target", kl_target, 0, kInfinity, "mean log(policy / reference) that the controller aims at; 0: no controller");
  visit.choice("kl_target_per", kl_target_per, {"token", "sequence"},
               "what the target is the mean of: of tokens, or of whole completions, the sums over their tokens, as in the library TRL");
  visit.real("kl_horizon", kl_horizon, 1, kInfinity, "time scale of the controller, in completions");
  visit.integer("max_new_tokens", max_new_tokens, 1, kMaxInt, "longest completion");
  visit.real("temperature", temperature, 0.01, kInfinity, "sampling temperature");
  visit.integer("top_k", top_k, 0, kMaxInt, "sample from the k most probable tokens only; 0: from all");
  visit.real("top_p", top_p, 0.01, 1, "sample from the smallest set of tokens with this probability");
  describe_generation_weights(visit, generation_weights);
}

}  // namespace paretofl
