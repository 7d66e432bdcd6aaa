#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace paretofl {

/// A table of numbers from a file in NumPy's .npy format.
struct NpyFile {
  std::size_t rows = 0;
  std::size_t columns = 0;
  /// [rows, columns] row-major: uint64 for arrays of that type, int64 for other integers and booleans, double for floats
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>> values;

  std::size_t size() const;
  /// A number in the shortest text that reads back as the same one: any NaN is "nan", and -0 is "0".
  std::string text(std::size_t row, std::size_t column) const;
};

/// Parses the content of an .npy file, format versions 1 to 3 (numpy.lib.format): an array of one dimension, which is one column, or of
/// two, in C or Fortran order, of little-endian floats of 4 or 8 bytes, integers of 1 to 8 bytes, or booleans.
/// Throws Error naming `name` for other arrays, damage, and bytes beyond the array.
NpyFile parse_npy(std::span<const std::uint8_t> content, const std::string& name);

}  // namespace paretofl
