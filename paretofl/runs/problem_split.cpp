#include "paretofl/runs/problem_split.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/workload_problem.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSplitConfig = "config.toml";
constexpr const char* kServer = "server";
constexpr std::string_view kClient = "client-";

bool is_part(const std::string& name) {
  if (name == kServer) return true;
  const bool starts = name.starts_with(kClient) && name.size() > kClient.size();
  return starts && name.find_first_not_of("0123456789", kClient.size()) == std::string::npos;
}

/// The names in a folder; none where it is absent.
std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  const auto status = fs::status(folder, error);
  if (!fs::exists(status)) return names;
  expect(fs::is_directory(status), "split: expected a folder, found the file {}", folder.string());
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  expect(!error, "split: expected to look into {}, found: {}", folder.string(), error.message());
  std::sort(names.begin(), names.end());
  return names;
}

/// Throws where a party's folder of an earlier split holds what the split has not written, such as a state.
void expect_only_split(const fs::path& folder) {
  const ProblemPart part{folder};
  if (!part.has(ProblemPart::kOwnerFile)) return;
  std::optional<std::vector<std::string>> files = files_of_part(part);
  if (!files) return;
  files->insert(files->end(), {ProblemPart::kOwnerFile, Problem::kFile});
  for (const std::string& name : names_in(folder)) {
    const bool written = std::find(files->begin(), files->end(), name) != files->end() || name.ends_with(".tmp");
    expect(written, "split: expected an earlier split in {} to overwrite, found {} in it, which no split has written", folder.string(),
           name);
  }
}

/// Throws unless a split may be written there.
void expect_free(const fs::path& out, bool overwrite) {
  for (const std::string& name : names_in(out)) {
    const std::string config = std::string(kSplitConfig) + ".tmp";  // of a split that was killed
    if (name == FolderLock::kFile || name == config) continue;
    expect(overwrite, "split: expected {} to be empty or absent, found {} in it; use --overwrite", out.string(), name);
    expect(name == kSplitConfig || is_part(name), "split: expected an earlier split in {} to overwrite, found {} in it", out.string(),
           name);
    if (is_part(name) && fs::is_directory(out / name)) expect_only_split(out / name);
  }
}

void remove_part(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  expect(!error, "split: expected to remove {} of an earlier split, found: {}", path.string(), error.message());
}

/// Removes an earlier split: first what makes its folders whole.
void remove_split(const fs::path& out) {
  const std::vector<std::string> names = names_in(out);
  for (const std::string& name : names) {
    if (is_part(name)) remove_part(out / name / Problem::kFile);
  }
  for (const std::string& name : names) {
    if (is_part(name)) remove_part(out / name);
  }
}

void make_split_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  expect(!error, "split: expected to make {}, found: {}", folder.string(), error.message());
}

std::uintmax_t part_bytes(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const std::string& name : names_in(folder)) bytes += fs::file_size(folder / name);
  return bytes;
}

}  // namespace

fs::path part_folder(const fs::path& split, std::optional<int> client) {
  return split / (client ? fmt::format("{}{}", kClient, *client) : kServer);
}

bool is_split(const fs::path& folder) {
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown); !unknown && entry != fs::directory_iterator(); entry.increment(unknown)) {
    if (is_part(entry->path().filename().string()) && fs::exists(entry->path() / ProblemPart::kOwnerFile, unknown)) return true;
  }
  return false;
}

SplitOutcome split_problem(const ResolvedConfig& config, const fs::path& out, bool overwrite) {
  expect(!out.empty(), "split: expected the name of a folder to write to, found nothing");
  expect_free(out, overwrite);
  const auto workload = make_workload(config.config);
  const std::string problem = problem_text(problem_of(config.config, *workload));

  std::vector<std::optional<int>> parties;
  for (int client = 0; client < workload->num_clients(); ++client) parties.emplace_back(client);
  parties.emplace_back(std::nullopt);
  make_split_folder(out);
  const FolderLock lock(out, "split");
  expect_free(out, overwrite);  // another process may have written while this one waited
  remove_split(out);
  write_whole_file(out / kSplitConfig, to_toml(config.resolved));
  try {
    for (const auto& client : parties) {
      const fs::path folder = part_folder(out, client);
      make_split_folder(folder);
      workload->write_part(client, folder);
      write_owner({folder, client}, names_in(folder));
    }
  } catch (const Error&) {
    remove_split(out);
    remove_part(out / kSplitConfig);
    throw;
  }
  SplitOutcome outcome{.clients = workload->num_clients()};
  for (const auto& client : parties) {
    const fs::path folder = part_folder(out, client);
    write_whole_file(folder / Problem::kFile, problem);
    outcome.bytes += part_bytes(folder);
  }
  outcome.fingerprint = problem_fingerprint(part_folder(out, std::nullopt));
  return outcome;
}

}  // namespace paretofl
