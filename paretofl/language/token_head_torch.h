#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/language/decoder_weights_torch.h"

namespace paretofl {

/// Hidden states [N, H] to logits [N, V], float32 or wider.
at::Tensor token_logits(const DecoderWeights& weights, const at::Tensor& hidden);

/// What token_outlook computes beside log-probabilities, and at which temperature > 0.
struct TokenWishes {
  double temperature = 1;
  bool slopes = false;
  bool entropies = false;
  bool entropy_slopes = false;
};

/// The distributions softmax(logits / temperature) after hidden states [N, H]: of each the log-probability of its target and the
/// entropy in nats, with the derivatives of both with respect to the hidden states. What was not asked for is empty.
struct TokenOutlook {
  std::vector<double> logprobs;   ///< [N]
  at::Tensor slopes;              ///< [N, H] of the log-probabilities
  std::vector<double> entropies;  ///< [N]
  at::Tensor entropy_slopes;      ///< [N, H]
};

/// Of targets [N] after hidden states [N, H]. The derivative of a log-probability is row e of the head that belongs to the target,
/// less the mean row under the predicted probabilities p; that of the entropy h is minus the sum over the vocabulary of
/// p (log p + h) e; both over the temperature. Holds a few hundred rows of logits at a time. Not differentiable by autograd.
TokenOutlook token_outlook(const DecoderWeights& weights, const at::Tensor& hidden, const at::Tensor& targets, const TokenWishes& wishes);

}  // namespace paretofl
