#pragma once

#include <span>
#include <string>

namespace paretofl {

/// One line of CSV, with its line feed, which CsvReader reads back: fields that need it are in quotes. At least two fields, or one that is
/// not empty: an empty line is none.
std::string csv_line(std::span<const std::string> fields);

/// A number in the shortest text that reads back as the same one; empty for NaN, which is no value.
std::string number_cell(double number);

}  // namespace paretofl
