#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace paretofl {

/// Running processes whose command line has a word, and begins with another one.
inline int processes_with(const std::string& word, const std::string& beginning = {}) {
  int count = 0;
  std::error_code ended;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ended)) {
    std::ostringstream line;
    line << std::ifstream(entry.path() / "cmdline").rdbuf();  // of a process that has ended: nothing
    if (line.str().starts_with(beginning) && line.str().find('\0' + word + '\0') != std::string::npos) ++count;
  }
  return count;
}

/// The names in a folder, such as this process's descriptors or the machine's temporary files.
inline std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

}  // namespace paretofl
