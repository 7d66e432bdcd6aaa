#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/kv_cache_torch.h"
#include "paretofl/language/lane_decoder.h"

namespace paretofl {

/// Whether LaneDecoder can take these: float32 on the CPU.
bool fits_lanes(const DecoderWeights& weights);

/// Pointers into a decoder's tensors, an adapter's slices (none: the base model) and the caches of prompts and of drawn
/// tokens, all of which must stay.
LaneWeights lane_weights(const Decoder& decoder, const std::vector<at::Tensor>& adapter, const KvCache& prompts, const KvCache& drawn);

}  // namespace paretofl
