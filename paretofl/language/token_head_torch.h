#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/language/decoder_weights_torch.h"

namespace paretofl {

/// Hidden states [N, H] to logits [N, V], float32 or wider.
at::Tensor token_logits(const DecoderWeights& weights, const at::Tensor& hidden);

/// Log-probabilities of targets [N] after hidden states [N, H], and with `slopes` their derivatives [N, H] with respect to
/// these: row e of the head that belongs to the target, less the mean row under the predicted probabilities. Holds a few
/// hundred rows of logits at a time. Not differentiable by autograd.
std::vector<double> token_logprobs(const DecoderWeights& weights, const at::Tensor& hidden, const at::Tensor& targets,
                                   at::Tensor* slopes = nullptr);

}  // namespace paretofl
