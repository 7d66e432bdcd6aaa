#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

/// Decompresses an .xz file, the streams it holds one after another, in memory. Throws Error naming `name` if it is damaged, truncated,
/// followed by other bytes, more than `most` bytes when decompressed, or announces a dictionary that takes more than 128 MiB.
std::vector<std::uint8_t> decompress_xz(std::span<const std::uint8_t> content, std::size_t most, const std::string& name);

}  // namespace paretofl
