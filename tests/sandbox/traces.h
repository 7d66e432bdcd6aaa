#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace paretofl {

/// Running processes whose command line has a word.
inline int processes_with(const std::string& word) {
  int count = 0;
  std::error_code ended;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ended)) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    if (line.find('\0' + word + '\0') != std::string::npos) ++count;
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
