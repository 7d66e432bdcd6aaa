#include "paretofl/files/data_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/files/missing_file.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kNotes{"", ".txt", ".md"};

template <typename Iterator>
std::vector<fs::path> files_of(const fs::path& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  std::error_code error;
  for (Iterator entry(folder, error); !error && entry != Iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || entry->is_directory()) continue;
    const std::string extension = lower_case(entry->path().extension().string());
    const bool wanted = std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    expect(wanted || std::find(kNotes.begin(), kNotes.end(), extension) != kNotes.end(), "{}: expected files *{} alone, found {}",
           folder.string(), fmt::join(extensions, ", *"), name);
    if (wanted) files.push_back(entry->path());
  }
  if (error == std::errc::no_such_file_or_directory) throw MissingFile(folder, folder.string() + ": expected a folder, found none");
  expect(!error, "{}: expected a folder that can be read, found: {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<fs::path> data_files(const fs::path& folder, const std::vector<std::string>& extensions, bool recursive) {
  return recursive ? files_of<fs::recursive_directory_iterator>(folder, extensions) : files_of<fs::directory_iterator>(folder, extensions);
}

}  // namespace paretofl
