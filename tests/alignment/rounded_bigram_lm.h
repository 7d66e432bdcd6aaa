#pragma once

#include "tests/alignment/bigram_lm.h"

namespace paretofl {

/// A bigram model whose rounded form draws the same tokens, but reports log-probabilities that are off by one and other hidden states.
class RoundedBigramLm final : public BigramLm {
 public:
  using BigramLm::BigramLm;

  bool generates_with(GenerationWeights) const override { return true; }
  bool drops_out() const override { return says_it_drops_out; }
  std::vector<std::vector<float>> logprobs(std::span<const TokenSequence> sequences, std::span<const float> adapter, double temperature,
                                           std::vector<float>* hidden) const override {
    forward_passes += 1;
    return BigramLm::logprobs(sequences, adapter, temperature, hidden);
  }
  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                   GenerationExtras extras, Random random) const override {
    std::vector<Completion> completions = BigramLm::generate(prompts, adapter, sampling, extras, random);
    if (sampling.weights == GenerationWeights::kFloat32) return completions;
    rounded_draws += 1;
    for (Completion& completion : completions) {
      for (float& logprob : completion.logprobs) logprob -= 1;
      for (float& logprob : completion.reference_logprobs) logprob -= 2;
      for (float& state : completion.hidden) state += 1;
    }
    return completions;
  }

  bool says_it_drops_out = true;
  mutable int rounded_draws = 0;
  mutable int forward_passes = 0;
};

}  // namespace paretofl
