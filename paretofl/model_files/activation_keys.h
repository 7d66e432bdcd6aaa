#pragma once

#include <string>

#include "paretofl/model_files/config_keys.h"

namespace paretofl {

/// The activation of a feed-forward block: "silu", "gelu" or "gelu_new"; `absent` is the reference library's default. Throws Error on
/// others.
std::string hidden_activation(const ConfigKeys& keys, const char* key, const char* absent);

/// That of DeBERTa's pooler: the same, "relu" or "tanh".
std::string pooler_activation(const ConfigKeys& keys);

}  // namespace paretofl
