#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paretofl {

/// How many parts a key may have, as a.b.c has three. Tables within tables are read and written recursively.
constexpr std::size_t kMaxKeyParts = 32;

/// Throws Error, with `name` for the text and the line, where a key of a TOML text has more parts than kMaxKeyParts, or where
/// lists and inline tables are nested more than 16 deep. To be called before the text is parsed; it need not be TOML.
void expect_shallow_toml(std::string_view text, const std::string& name);

}  // namespace paretofl
