#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// One point from its numbers separated by commas. Throws Error, naming `name`, if a field is not a
/// finite number.
std::vector<double> parse_point(std::string_view text, std::string_view name);

/// Points from CSV text: one point per line, its numbers separated by commas. Spaces about a field,
/// quotes around it, carriage returns, a byte order mark and empty lines at the end are allowed. The
/// first line may be a header: a line of as many fields, none of them a number. Throws Error, naming
/// `name` and the line (counted from 1, header included), for lines of different lengths, fields that
/// are not finite numbers, and text without a point.
PointSet parse_points(std::string_view text, std::string_view name);

/// The points of such a file; throws Error if it cannot be read.
PointSet read_points(const std::filesystem::path& path);

}  // namespace paretofl
