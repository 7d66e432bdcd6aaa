#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "paretofl/language/causal_lm.h"
#include "paretofl/language/token_sampler.h"

namespace paretofl {

/// How far the model in 8 bits (GenerationWeights::kInt8), the sampler q, is from the model in float32, the policy p.
struct RoundingQuality {
  // On a text:
  double positions = 0;           ///< tokens that are predicted
  double agreement = 0;           ///< share of positions at which the most probable token is the same
  double perplexity = 0;          ///< of p
  double rounded_perplexity = 0;  ///< of q
  // On completions that q drew:
  double drawn = 0;               ///< tokens
  double logprob_difference = 0;  ///< mean of |log q - log p| of the drawn tokens
  double divergence = 0;          ///< KL(q || p) of the distributions that the tokens were drawn from, mean per token, in nats
};

/// Log-probabilities [T, V] of the tokens that follow each token of ids [T].
inline std::vector<double> log_distributions(const CausalLm& model, std::span<const float> adapter, const TokenIds& ids,
                                             GenerationWeights weights) {
  const std::vector<float> logits = model.logits(ids, adapter, weights);
  const std::size_t vocabulary = logits.size() / ids.size();
  std::vector<double> logprobs(logits.begin(), logits.end());
  for (std::size_t first = 0; first < logits.size(); first += vocabulary) {
    const double sum = log_sum_exp({logits.data() + first, vocabulary});
    for (std::size_t v = first; v < first + vocabulary; ++v) logprobs[v] -= sum;
  }
  return logprobs;
}

/// Of a text in windows of at least two tokens, whose tokens but the first are predicted, and of a completion of `length` tokens for each
/// prompt, drawn at temperature 1. Both need at least one.
inline RoundingQuality rounding_quality(const CausalLm& model, std::span<const float> adapter, std::span<const TokenIds> windows,
                                        std::span<const TokenIds> prompts, std::int64_t length, Random random) {
  const auto vocabulary = static_cast<std::size_t>(model.config().vocab_size);
  RoundingQuality quality;
  double loss = 0, rounded_loss = 0;
  for (const TokenIds& window : windows) {
    const std::vector<double> p = log_distributions(model, adapter, window, GenerationWeights::kFloat32);
    const std::vector<double> q = log_distributions(model, adapter, window, GenerationWeights::kInt8);
    for (std::size_t t = 0; t + 1 < window.size(); ++t) {
      const auto first = static_cast<std::ptrdiff_t>(t * vocabulary);
      const auto last = first + static_cast<std::ptrdiff_t>(vocabulary);
      const auto of_p = std::max_element(p.begin() + first, p.begin() + last) - p.begin();
      const auto of_q = std::max_element(q.begin() + first, q.begin() + last) - q.begin();
      const std::size_t target = t * vocabulary + static_cast<std::size_t>(window[t + 1]);
      quality.positions += 1;
      quality.agreement += of_p == of_q ? 1 : 0;
      loss -= p[target];
      rounded_loss -= q[target];
    }
  }
  quality.agreement /= quality.positions;
  quality.perplexity = std::exp(loss / quality.positions);
  quality.rounded_perplexity = std::exp(rounded_loss / quality.positions);

  const Sampling sampling{.max_new_tokens = length, .stop = {}, .weights = GenerationWeights::kInt8};
  const std::vector<Completion> completions = model.generate(prompts, adapter, sampling, {}, random);
  for (std::size_t b = 0; b < completions.size(); ++b) {
    TokenIds ids = prompts[b];
    ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
    const std::vector<double> p = log_distributions(model, adapter, ids, GenerationWeights::kFloat32);
    const std::vector<double> q = log_distributions(model, adapter, ids, GenerationWeights::kInt8);
    for (std::size_t t = 0; t < completions[b].ids.size(); ++t) {
      const std::size_t first = (prompts[b].size() + t - 1) * vocabulary;
      const std::size_t target = first + static_cast<std::size_t>(completions[b].ids[t]);
      quality.drawn += 1;
      quality.logprob_difference += std::abs(completions[b].logprobs[t] - p[target]);
      for (std::size_t v = first; v < first + vocabulary; ++v) quality.divergence += std::exp(q[v]) * (q[v] - p[v]);
    }
  }
  quality.logprob_difference /= quality.drawn;
  quality.divergence /= quality.drawn;
  return quality;
}

}  // namespace paretofl
