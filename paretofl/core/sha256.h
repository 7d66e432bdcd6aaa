#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace paretofl {

/// SHA-256 of the bytes, in lower-case hexadecimal.
std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace paretofl
