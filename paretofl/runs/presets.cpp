#include "paretofl/runs/presets.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/registry/registry.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

/// FOLDER/NAME.toml, in the order of their paths.
std::vector<fs::path> preset_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& group : fs::directory_iterator(folder)) {
    if (!group.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(group.path())) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string stem_of(const fs::path& file) { return file.stem().string(); }

std::string long_name(const fs::path& file) { return (file.parent_path().filename() / file.stem()).string(); }

/// The first comment, of one line.
std::string first_comment(const std::string& text) {
  const std::size_t mark = text.find('#');
  if (mark == std::string::npos) return "";
  std::string line = text.substr(mark + 1, text.find('\n', mark) - mark - 1);
  line.erase(0, line.find_first_not_of(' '));
  if (line.ends_with(';')) line.back() = '.';
  return line;
}

std::string name_in(const Settings& settings, const std::string& table) {
  const auto found = settings.tables.find(table);
  if (found == settings.tables.end()) return "";
  const auto name = found->second.values.find("name");
  const auto* text = name == found->second.values.end() ? nullptr : std::get_if<std::string>(&name->second);
  return text == nullptr ? "" : *text;
}

/// The files by name.
std::map<std::string, fs::path> named_files(const fs::path& folder) {
  const std::vector<fs::path> files = preset_files(folder);
  std::map<std::string, int> uses;
  for (const fs::path& file : files) ++uses[stem_of(file)];
  std::map<std::string, fs::path> named;
  for (const fs::path& file : files) named.emplace(uses[stem_of(file)] == 1 ? stem_of(file) : long_name(file), file);
  return named;
}

}  // namespace

std::vector<Preset> load_presets(const fs::path& folder) {
  std::vector<Preset> presets;
  for (const auto& [name, file] : named_files(folder)) {
    const std::string text = read_file(file);
    const Settings settings = parse_config(text, file.string());
    presets.push_back({name, file, name_in(settings, "strategy"), name_in(settings, "workload"), first_comment(text)});
  }
  return presets;
}

bool names_a_file(const std::string& argument) {
  std::error_code failure;
  const auto type = fs::status(argument, failure).type();
  return argument.ends_with(".toml") || (fs::exists(fs::file_status(type)) && type != fs::file_type::directory);
}

fs::path preset_file(const fs::path& folder, const std::string& name) {
  const std::map<std::string, fs::path> named = named_files(folder);
  if (const auto found = named.find(name); found != named.end()) return found->second;
  std::vector<std::string> names, of_this_stem;
  for (const auto& [known, file] : named) {
    if (long_name(file) == name) return file;
    if (stem_of(file) == name) of_this_stem.push_back(known);
    names.push_back(known);
  }
  expect(of_this_stem.empty(), "CONFIG: expected one preset, found '{}', which stands for {}", name, fmt::join(of_this_stem, " and "));
  const std::string near = nearest(name, names);
  throw Error(fmt::format("CONFIG: expected a TOML file or a preset (paretofl list presets), found '{}'{}", name,
                          near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace paretofl
