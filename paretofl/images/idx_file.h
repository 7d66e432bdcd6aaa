#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

/// The contents of one IDX file of unsigned bytes, the format of MNIST: a big-endian header (0, 0, type,
/// rank, one 32-bit size per dimension) and the values in row-major order.
struct IdxFile {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> values;
};

/// Largest IDX content accepted, in bytes.
inline constexpr std::size_t kMaxIdxBytes = std::size_t{1} << 30;

/// Reads an IDX file, plain or gzip-compressed; the content decides, not the name. Throws Error naming
/// the file unless it holds unsigned bytes of that rank and exactly as many as its header says.
IdxFile read_idx(const std::filesystem::path& file, std::size_t rank);

/// The same on bytes in memory; `name` is its name in messages.
IdxFile parse_idx(std::span<const std::uint8_t> content, std::size_t rank, const std::string& name);

/// Writes a file, uncompressed. Throws Error for more than kMaxIdxBytes values, and if that fails.
void write_idx(const std::filesystem::path& file, const IdxFile& content);

}  // namespace paretofl
