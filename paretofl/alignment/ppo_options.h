#pragma once

#include <cstdint>
#include <string>

#include "paretofl/language/causal_lm.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// Proximal policy optimization of a language model, with FIRM's settings where its Appendix A has them: batches,
/// epochs, the critic's rate, the KL target.
struct PpoOptions {
  std::int64_t batch_size = 16;     ///< B, completions drawn at a time
  std::int64_t minibatch_size = 8;  ///< of them per local step
  std::int64_t microbatch = 0;      ///< of these, those whose gradients are computed at once; 0: all
  std::int64_t epochs = 3;          ///< passes over a batch before the next one is drawn
  double clip = 0.2;                ///< epsilon of the ratio
  double gamma = 1;
  double gae_lambda = 0.95;
  bool whiten_advantages = true;
  double critic_lr = 1e-4;
  double value_clip = 0.2;
  double kl_coefficient = 0.2;  ///< at the start
  double kl_target = 0.03;
  std::string kl_target_per = "token";  ///< or "sequence", as in the library TRL
  double kl_horizon = 10000;
  std::int64_t max_new_tokens = 48;
  double temperature = 1;
  std::int64_t top_k = 0;
  double top_p = 1;
  std::string generation_weights = "float32";

  void describe(OptionVisitor& visit);

  std::int64_t minibatches() const { return (batch_size + minibatch_size - 1) / minibatch_size; }
  /// Local steps between two batches.
  std::int64_t steps_per_batch() const { return epochs * minibatches(); }
};

}  // namespace paretofl
