#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

/// A table of numbers from a file in NumPy's .npy format.
struct NpyFile {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< [rows, columns] row-major
};

/// Parses the content of an .npy file, format versions 1 to 3 (numpy.lib.format): an array of one dimension, which is one column, or of
/// two, in C or Fortran order, of little-endian floats of 4 or 8 bytes, integers of 1 to 8 bytes, or booleans. Integers beyond 2^53 are
/// rounded. Throws Error naming `name` for other arrays, damage, and bytes beyond the array.
NpyFile parse_npy(std::span<const std::uint8_t> content, const std::string& name);

}  // namespace paretofl
