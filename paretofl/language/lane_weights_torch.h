#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/kv_cache_torch.h"
#include "paretofl/language/lane_decoder.h"

namespace paretofl {

/// Whether LaneDecoder can take this one: float32 on the CPU, with maps of its own for queries, keys and values (not Phi-3).
bool fits_lanes(const Decoder& decoder);

/// The weights of a decoder that fits_lanes, rounded to 8 bits. Throws Error on weights that are not finite.
Int8Weights int8_weights(const Decoder& decoder);

/// Pointers into a decoder's tensors, an adapter's slices (none: the base model), the caches of prompts and of drawn tokens, and, unless
/// null, rounded weights, all of which must stay.
LaneWeights lane_weights(const Decoder& decoder, const std::vector<at::Tensor>& adapter, const KvCache& prompts, const KvCache& drawn,
                         const Int8Weights* rounded = nullptr);

}  // namespace paretofl
