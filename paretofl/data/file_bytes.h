#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace paretofl {

/// A whole file. Throws Error naming it if it is missing, unreadable or larger than `most` bytes.
std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t most);

}  // namespace paretofl
