#pragma once

#include <cstdint>
#include <vector>

namespace paretofl {

/// A token's number in a vocabulary, from 0.
using TokenId = std::int32_t;

/// A text as a model reads it: prompt and completion are of this type too.
using TokenIds = std::vector<TokenId>;

}  // namespace paretofl
