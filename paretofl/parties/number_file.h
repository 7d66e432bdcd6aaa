#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// An array of numbers in a file of JSON, as lists in lists.
struct NumberArray {
  std::string name;
  std::vector<std::size_t> shape;  ///< every size positive
  std::vector<double> values;      ///< row-major
};

/// Writes {"NAME": [[..], ..], ..}; every number reads back as the same one. The numbers are finite.
void write_numbers(const std::filesystem::path& file, std::span<const NumberArray> arrays);

/// The values of the arrays, whose names and shapes are given. Throws Error, calling the text `file`, for JSON that breaks, an array that
/// is missing and one of another shape.
std::vector<std::vector<double>> parse_numbers(std::string_view text, const std::string& file, std::span<const NumberArray> shapes);

/// The same of a file.
std::vector<std::vector<double>> read_numbers(const std::filesystem::path& file, std::span<const NumberArray> shapes);

}  // namespace paretofl
