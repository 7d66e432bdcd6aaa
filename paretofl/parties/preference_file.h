#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "paretofl/objectives/preference.h"

namespace paretofl {

/// A client's private preference in its folder: {"preference": [..]}, a number for each objective, of any scale. Numbers that sum to 1
/// within 1e-9 stay as they are to the last bit.
inline constexpr const char* kPreferenceFile = "preference.json";

void write_preference(const Preference& preference, const std::filesystem::path& file);

/// Throws Error, calling the text `file`, for JSON that breaks, and for what is no preference over so many objectives.
Preference parse_preference(std::string_view text, const std::string& file, std::size_t objectives);

/// The same of a file.
Preference read_preference(const std::filesystem::path& file, std::size_t objectives);

}  // namespace paretofl
