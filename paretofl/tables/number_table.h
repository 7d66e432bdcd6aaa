#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Writes a CSV file of numbers: the names of the columns [M], then a row for each number of them, values [M][N].
void write_number_table(std::span<const std::string> columns, const std::vector<std::vector<double>>& values,
                        const std::filesystem::path& file);

/// The columns of such a text [M][N]. Throws Error, calling the text `name`, for other columns or another order of them, for cells that are
/// no finite number of at most 1e30 in size, and where there is no row.
std::vector<std::vector<double>> parse_number_table(std::string_view text, const std::string& name, std::span<const std::string> columns);

/// The same of a file, plain or gzip-compressed.
std::vector<std::vector<double>> read_number_table(const std::filesystem::path& file, std::span<const std::string> columns);

}  // namespace paretofl
