#pragma once

#include "paretofl/language/trainable_decoder.h"

namespace paretofl {

/// The function behind make_trainable_decoder in the library of LibTorch's models. The caller owns the decoder.
extern "C" TrainableDecoder* paretofl_make_trainable_decoder(const LanguageModelConfig& config, DecoderHead head,
                                                             const ModelPlacement& placement);

}  // namespace paretofl
