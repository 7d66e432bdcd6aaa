#include "paretofl/tables/table_files.h"

#include <glob.h>

#include <algorithm>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/tables/natural_order.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".csv", ".csv.gz", ".npy"};

std::string without_ending(const std::string& name) {
  for (const std::string_view ending : kEndings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  const fs::path path(name);
  return (path.parent_path() / path.stem()).string();
}

bool has_known_ending(const fs::path& file) {
  const std::string name = file.filename().string();
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<fs::path> files_of_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    if (has_known_ending(entry->path())) files.push_back(entry->path());
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

}  // namespace

bool is_npy(const fs::path& file) { return file.extension() == ".npy"; }

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
