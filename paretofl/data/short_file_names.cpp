#include "paretofl/data/short_file_names.h"

#include <filesystem>
#include <set>

namespace paretofl {

std::vector<std::string> short_file_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).filename().string();
    names.push_back(name.substr(0, name.find('.', 1)));
  }
  const bool distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
  return distinct ? names : files;
}

}  // namespace paretofl
