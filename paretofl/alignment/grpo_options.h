#pragma once

#include <cstdint>
#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Group relative policy optimization (Shao et al. 2024), with FedMOA's settings for language models where
/// its section 4.1 has them: batch, completions and their length.
struct GrpoOptions {
  std::int64_t prompts = 8;               ///< P, of a step's batch
  std::int64_t completions = 16;          ///< G, per prompt: the effective batch is P x G
  std::int64_t microbatch = 16;           ///< completions whose gradients are computed at once
  std::int64_t iterations = 1;            ///< local steps on a batch before the next one is drawn
  std::int64_t steps_per_generation = 1;  ///< batches that are drawn at once, each for steps of its own
  std::string advantages = "sum_then_normalize";
  std::string scale_rewards = "group";
  bool unbiased_deviation = false;
  std::string loss_type = "grpo";
  std::string importance_sampling_level = "token";
  double clip = 0.2;                        ///< epsilon of the ratio
  double epsilon_high = 0;                  ///< 0: clip; with cispo the largest ratio
  double delta = 0;                         ///< 0: none
  bool mask_truncated_completions = false;  ///< leave out completions without a stop token
  std::string old_logprobs = "sampler";
  double entropy_coef = 0;
  std::int64_t dynamic_sampling = 0;  ///< further draws for prompts in place of flat ones
  double kl_coefficient = 0;          ///< beta
  bool sync_ref_model = false;
  double ref_model_mixup_alpha = 0.6;
  std::int64_t ref_model_sync_steps = 512;
  std::int64_t hidden_layer = -1;  ///< whose activations the rewards' own gradients are taken at; -1: the last, behind its norm
  std::int64_t max_new_tokens = 1024;
  double temperature = 1;
  std::int64_t top_k = 0;
  double top_p = 1;
  double min_p = 0;
  std::string generation_weights = "float32";

  void describe(OptionVisitor& visit);
};

}  // namespace paretofl
