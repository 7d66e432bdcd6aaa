#include "apps/preset_folder.h"

#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/runs/presets.h"

namespace paretofl {

namespace fs = std::filesystem;

fs::path preset_folder() {
  std::error_code error;
  if (const char* named = std::getenv("PARETOFL_PRESETS"); named != nullptr && *named != '\0') {
    expect(fs::is_directory(named, error), "PARETOFL_PRESETS: expected a folder of presets, found none at {}", named);
    return named;
  }
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = command.parent_path().parent_path() / "share/paretofl/experiments";
  if (!error && fs::is_directory(installed, error)) return installed;
  const fs::path source = PARETOFL_SOURCE_PRESETS;
  expect(fs::is_directory(source, error), "presets: expected a folder at {} or {}, found neither; PARETOFL_PRESETS can name another",
         installed.string(), source.string());
  return source;
}

fs::path config_file(const std::string& argument) {
  if (names_a_file(argument)) return argument;
  expect(argument.find('=') == std::string::npos,
         "CONFIG: expected a TOML file or a preset (paretofl list presets), found '{0}'; did you mean --set {0}?", printable(argument));
  return preset_file(preset_folder(), argument);
}

}  // namespace paretofl
