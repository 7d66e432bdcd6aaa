#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/lane_decoder.h"

namespace paretofl {

/// Logits [T, V] after every token of ids [T], by the rounded weights of a decoder that fits_lanes and the slices of an adapter (none: the
/// base model): those that Generation draws from after the same tokens, but for rounding where the batch differs.
std::vector<float> rounded_logits(const Decoder& decoder, const std::vector<at::Tensor>& adapter, std::span<const TokenId> ids,
                                  const Int8Weights& rounded);

}  // namespace paretofl
