#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace paretofl {

/// A config that comes with the project: a file FOLDER/NAME.toml in the folder of the presets.
struct Preset {
  std::string name;  ///< the file's stem; where several folders have a file of that stem, FOLDER/STEM
  std::filesystem::path file;
  std::string strategy;
  std::string workload;
  std::string summary;  ///< the first comment of the file, without its mark
};

/// All presets below a folder, by name. Names are unique. Throws Error where a file is no config.
std::vector<Preset> load_presets(const std::filesystem::path& folder);

/// Whether an argument is meant as a file: it ends in .toml, or there is a file of that name.
bool names_a_file(const std::string& argument);

/// The file of the preset called NAME, or FOLDER/NAME. Throws Error naming the nearest name where there is none, and the candidates where
/// a stem stands for several.
std::filesystem::path preset_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace paretofl
