#include "paretofl/tables/table_files.h"

#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <memory>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/tables/natural_order.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".csv", ".csv.gz", ".npy"};

/// Which of kEndings a name has, in upper or lower case; empty if none.
std::string_view known_ending(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const std::string_view ending : kEndings) {
    if (lower.ends_with(ending)) return ending;
  }
  return {};
}

std::string without_ending(const std::string& name) {
  if (const std::string_view ending = known_ending(name); !ending.empty()) return name.substr(0, name.size() - ending.size());
  const fs::path path(name);
  return (path.parent_path() / path.stem()).string();
}

/// A file that a program keeps for itself, such as the ._NAME that macOS puts beside NAME.
bool is_hidden(const fs::path& file) { return file.filename().string().starts_with('.'); }

std::vector<fs::path> files_of_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    if (!is_hidden(entry->path()) && !known_ending(entry->path().filename().string()).empty()) files.push_back(entry->path());
  }
  expect(!failure, "{}: expected a folder that can be read, found: {}", folder.string(), failure.message());
  return files;
}

constexpr std::string_view kSpecial = "*?[\\";  // in a pattern

/// What comes before the first part of a pattern that is not plain.
fs::path plain_part(const fs::path& pattern) {
  fs::path plain;
  for (const fs::path& part : pattern.parent_path()) {
    if (part.string().find_first_of(kSpecial) != std::string::npos) break;
    plain /= part;
  }
  return plain;
}

std::vector<fs::path> files_of_pattern(const fs::path& root, const std::string& pattern_below) {
  std::string escaped;
  for (const char c : root.string()) escaped += kSpecial.find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
  const fs::path pattern = fs::path(escaped) / pattern_below;
  glob_t found{};
  const std::unique_ptr<glob_t, decltype(&globfree)> guard(&found, &globfree);
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  expect(status != GLOB_NOSPACE, "workload.files: expected memory to look for {}, found none", pattern.string());
  return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

/// Whether the name that comes last in a pattern, without the ending of either, is that of a file.
bool matches_but_for_ending(const std::string& pattern, const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string stem = fs::path(pattern).filename().string();
  const std::string_view ending = known_ending(name);
  return !ending.empty() && ::fnmatch(stem.c_str(), name.substr(0, name.size() - ending.size()).c_str(), FNM_PERIOD) == 0;
}

}  // namespace

bool is_npy(const fs::path& file) { return known_ending(file.filename().string()) == ".npy"; }

std::vector<fs::path> files_left_out(const fs::path& root, const std::string& pattern, std::span<const TableFile> files) {
  const std::string_view ending = known_ending(pattern);
  std::error_code ignored;
  if (ending.empty() || fs::exists(fs::symlink_status(root / pattern, ignored))) return {};
  const std::string stem = pattern.substr(0, pattern.size() - ending.size());
  const fs::path base = root / plain_part(pattern);
  std::vector<fs::path> left_out;
  for (const fs::path& found : files_of_pattern(root, stem + "*")) {
    const std::string client = without_ending(found.lexically_relative(base).string());
    const bool read = std::any_of(files.begin(), files.end(), [&](const TableFile& file) { return file.client == client; });
    if (!read && matches_but_for_ending(stem, found)) left_out.push_back(found);
  }
  std::sort(left_out.begin(), left_out.end());
  return left_out;
}

std::vector<TableFile> table_files(const fs::path& root, const std::string& pattern) {
  expect(!pattern.empty(), "workload.files: expected a file, a folder or a pattern of files below data.root, found an empty text");
  const fs::path path = root / pattern;
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  const bool file = !folder && fs::exists(fs::symlink_status(path, ignored));
  const fs::path base = folder ? path : file ? path.parent_path() : root / plain_part(pattern);
  std::vector<TableFile> files;
  for (const fs::path& found : folder ? files_of_folder(path) : file ? std::vector{path} : files_of_pattern(root, pattern)) {
    files.push_back({found, without_ending(found.lexically_relative(base).string())});
  }
  const auto others = files.empty() ? files_left_out(root, pattern, files) : std::vector<fs::path>();
  expect(others.empty(), "workload.files: expected files at {}, found none; left out for their endings: {}, the first {}",
         printable(path.string()), others.size(), others.empty() ? "" : printable(others.front().string()));
  expect(!files.empty(), "workload.files: expected {} at {}, found none; data.root is '{}'{} (evaluate takes another one with --data)",
         folder ? "files that end with .csv, .csv.gz or .npy" : "files", printable(path.string()), printable(root.string()),
         root.is_relative() ? " below the current folder" : "");
  std::sort(files.begin(), files.end(), [](const TableFile& a, const TableFile& b) { return natural_less(a.client, b.client); });
  for (std::size_t i = 1; i < files.size(); ++i) {
    expect(files[i].client != files[i - 1].client, "workload.files: expected one file of each name, found {} and {}",
           printable(files[i - 1].path.string()), printable(files[i].path.string()));
  }
  return files;
}

}  // namespace paretofl
