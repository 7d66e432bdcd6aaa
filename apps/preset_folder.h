#pragma once

#include <filesystem>
#include <string>

namespace paretofl {

/// The folder of the presets: that of PARETOFL_PRESETS in the environment, where it is set; else share/paretofl/experiments beside the
/// folder of the command; else the source tree's. Throws Error where PARETOFL_PRESETS names no folder, or there is none.
std::filesystem::path preset_folder();

/// The file that an argument CONFIG stands for: itself, or the preset of that name. Throws Error like preset_file.
std::filesystem::path config_file(const std::string& argument);

}  // namespace paretofl
