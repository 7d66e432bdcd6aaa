#include "paretofl/federation/federation_folder.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/run_start.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

/// What the processes of a federation write beside the clients' folders; of each also NAME.tmp, where one was killed meanwhile.
constexpr std::array<std::string_view, 7> kNames{
    FederationFolder::kConfig, FederationFolder::kParts, "run.json", "noise_secret", "flower", "flower.json", "settings.json"};
constexpr std::string_view kClient = "client-";

bool is_of_federation(std::string name) {
  constexpr std::string_view kPartial = ".tmp";
  if (name.ends_with(kPartial)) name.resize(name.size() - kPartial.size());
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  return name.starts_with(kClient) && name.size() > kClient.size() &&
         name.find_first_not_of("0123456789", kClient.size()) == std::string::npos;
}

void move_all(const std::vector<fs::path>& entries, const fs::path& folder) {
  for (const fs::path& entry : entries) fs::rename(entry, folder / entry.filename());
}

std::vector<fs::path> all_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  if (!fs::exists(folder)) return paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

FederationFolder::FederationFolder(const fs::path& run_directory) : run_directory_(run_directory), path_(run_directory / "federation") {}

bool FederationFolder::has_run() const { return fs::exists(run_directory_ / RunStart::kFile); }

std::vector<fs::path> FederationFolder::entries() const {
  std::vector<fs::path> paths = all_in(path_);
  std::erase_if(paths,
                [&](const fs::path& path) { return path.filename() == FolderLock::kFile || path == earlier() || path == new_parts(); });
  return paths;
}

void FederationFolder::expect_nothing_else() const {
  for (const fs::path& path : entries()) {
    const std::string name = path.filename().string();
    expect(is_of_federation(name), "federate: expected nothing but a federation in {}, found {} in it", path_.string(), name);
  }
}

void FederationFolder::settle() const {
  fs::remove_all(new_parts());
  if (fs::exists(earlier()) && !has_run()) {
    for (const fs::path& path : entries()) fs::remove_all(path);
    fs::rename(earlier(), moving());
  }
  fs::remove_all(earlier());
  if (!fs::exists(moving())) return;
  move_all(all_in(moving()), path_);
  fs::remove(moving());
}

void FederationFolder::replace() const {
  expect_nothing_else();
  // Only what is whole has the name of earlier(): a process that is killed meanwhile leaves moving(), whose files go back.
  const std::vector<fs::path> before = entries();
  fs::create_directory(moving());
  move_all(before, moving());
  fs::rename(moving(), earlier());
  fs::rename(new_parts(), parts());
}

void FederationFolder::remove_if_empty() const {
  std::error_code ignored;
  const std::vector<fs::path> left = all_in(path_);
  if (left.size() == 1 && left[0].filename() == FolderLock::kFile) fs::remove(left[0], ignored);
  fs::remove(path_, ignored);  // which only works where it is empty
  fs::remove(run_directory_, ignored);
}

}  // namespace paretofl
