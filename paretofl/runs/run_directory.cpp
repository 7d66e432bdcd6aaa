#include "paretofl/runs/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/sha256.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/runs/completion_file.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/problem_split.h"
#include "paretofl/runs/run_start.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.toml";
constexpr const char* kReplaced = "config.toml.replaced";  // the config of a run that is being overwritten
constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kFederation = "federation";  // what parties on this machine have
/// What write_whole_file leaves of these where a process was killed meanwhile.
constexpr std::array kUnfinished{"config.toml.tmp", "metrics.jsonl.tmp", "summary.json.tmp", "report.html.tmp",
                                 "training_completions.jsonl.tmp"};

/// Whether there is anything at the path; throws Error where that can't be told.
bool is_there(const fs::path& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  expect(!error, "run directory: expected to look at {}, found: {}", path.string(), error.message());
  return found;
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  expect(!error, "run directory: expected to make {}, found: {}", path.string(), error.message());
}

/// " there, but in PATH/NAME" for a folder of runs, such as a sweep's.
std::string run_within(const fs::path& folder) {
  std::error_code failure;
  std::set<std::string> names;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    std::error_code unreadable;
    if (fs::exists(entry->path() / kConfig, unreadable)) names.insert(entry->path().filename().string());
  }
  return names.empty() ? "" : fmt::format(" there, but in {}", (folder / *names.begin()).string());
}

}  // namespace

RunDirectory::RunDirectory(fs::path path) : path_(std::move(path)), lock_((make_folder(path_), path_), "run") {
  std::error_code ignored;
  for (const char* file : kUnfinished) fs::remove(path_ / file, ignored);
}

void RunDirectory::expect_room(const fs::path& path, bool overwrite) {
  if (!is_there(path)) return;
  std::error_code error;
  expect(fs::is_directory(path, error), "run directory: expected a folder, found the file {}", path.string());
  bool empty = true;  // but for what a run that ended before its config was written leaves
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    const bool unfinished = std::find(kUnfinished.begin(), kUnfinished.end(), name) != kUnfinished.end();
    empty = empty && (unfinished || name == FolderLock::kFile || name == kFederation ||
                      (name == kCheckpoints && fs::is_empty(entry->path(), error)));
  }
  expect(!error, "run directory: expected to look into {}, found: {}", path.string(), error.message());
  if (empty) return;
  expect(overwrite, "run directory: expected {} to be empty or absent, found files in it; use --resume or --overwrite", path.string());
  expect(is_there(path / kConfig) || is_there(path / kReplaced), "run directory: expected an earlier run in {} to overwrite, found no {}",
         path.string(), kConfig);
  expect(is_there(path / kCheckpoints) || is_there(path / kReplaced),
         "run directory: expected an earlier run in {} to overwrite, found no {}", path.string(), kCheckpoints);
}

RunDirectory RunDirectory::create(const fs::path& path, bool overwrite, const Settings& resolved) {
  expect_room(path, overwrite);
  RunDirectory directory(path);
  expect_room(path, overwrite);  // another process may have written while this one waited
  // Without its config the earlier run can't be resumed by mistake, whenever this is killed.
  std::error_code error;
  if (is_there(path / kConfig)) fs::rename(path / kConfig, path / kReplaced, error);
  expect(!error, "run directory: expected to replace the config of {}, found: {}", path.string(), error.message());
  for (const fs::path& earlier : {directory.checkpoints(), directory.model(), directory.metrics(), directory.summary(), directory.events(),
                                  path / CompletionFile::kName, path / "report.html", path / RunStart::kFile}) {
    fs::remove_all(earlier, error);
    expect(!error, "run directory: expected to remove {} of an earlier run, found: {}", earlier.string(), error.message());
  }
  make_folder(directory.checkpoints());
  directory.write_config(resolved);
  fs::remove(path / kReplaced, error);
  return directory;
}

fs::path RunDirectory::config_of(const fs::path& path) {
  expect(is_there(path / kConfig), "run directory: expected a run in {}, found no config.toml{}", path.string(),
         is_there(path / kConfig) ? "" : run_within(path));
  expect(!is_split(path), "run directory: expected a run in {}, found the parts of a problem, which `paretofl split` has written",
         path.string());
  return path / kConfig;
}

RunDirectory RunDirectory::open(const fs::path& path) {
  config_of(path);
  RunDirectory directory(path);
  make_folder(directory.checkpoints());
  return directory;
}

bool RunDirectory::finished() const { return fs::exists(summary()); }

bool RunDirectory::succeeded(const fs::path& folder) {
  const fs::path file = folder / "summary.json";
  if (!is_there(file)) return false;
  const auto json = parse_json(read_file(file), file.string());
  expect(json.is_object(), "{}: expected an object, found something else", file.string());
  return json.value("status", nlohmann::json("completed")) == "completed";
}

void RunDirectory::write_config(const Settings& resolved) const { write_whole_file(config(), to_toml(resolved)); }

std::vector<nlohmann::ordered_json> RunDirectory::rewind_metrics(std::uint32_t round, const std::string& digest,
                                                                 const std::string& last_row) {
  std::vector<nlohmann::ordered_json> rows;
  std::string kept;
  sealed_.clear();
  last_row_.clear();
  {
    std::istringstream file(fs::exists(metrics()) ? read_file(metrics()) : "");
    std::string line;
    while (rows.size() < round && std::getline(file, line)) {
      auto row = parse_ordered_json(line, fmt::format("{}:{}", metrics().string(), rows.size() + 1));
      const bool expected = row.is_object() && row.contains("round") && row["round"] == rows.size() + 1;
      expect(expected, "metrics.jsonl: expected round {} in line {}, found '{:.60}'", rows.size() + 1, rows.size() + 1, line);
      if (rows.size() + 1 == round && !last_row.empty()) {
        row = parse_ordered_json(last_row, "checkpoint: the last row");
        line = last_row.substr(0, last_row.size() - 1);
      }
      rows.push_back(std::move(row));
      kept += line + '\n';
      note_row(line + '\n');
    }
  }
  expect(rows.size() == round, "metrics.jsonl: expected rounds 1 to {} of the checkpoint, found {}", round, rows.size());
  expect(digest == sealed_, "metrics.jsonl: expected the rows of rounds 1 to {} as the checkpoint knows them, found others", round);
  write_whole_file(metrics(), kept);
  written_ = kept.size();
  std::error_code error;
  fs::remove(summary(), error);
  return rows;
}

void RunDirectory::note_row(std::string line) {
  if (!last_row_.empty()) {
    const std::string chained = sealed_ + last_row_;
    sealed_ = sha256_hex(std::as_bytes(std::span(chained)));
  }
  last_row_ = std::move(line);
}

void RunDirectory::expect_metrics_as_written() const {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(metrics(), error);
  const std::uintmax_t found = error ? 0 : size;
  expect(found == written_, "{}: expected the {} bytes that this run has written, found {}; another program changed the file",
         metrics().string(), written_, found);
}

void RunDirectory::append_metrics(const nlohmann::ordered_json& row) {
  expect_metrics_as_written();
  const std::string line = json_text(row) + '\n';
  std::ofstream file(metrics(), std::ios::app);
  file << line;
  file.flush();
  expect(static_cast<bool>(file), "run directory: expected to write {}, found: {}", metrics().string(), std::strerror(errno));
  written_ += line.size();
  note_row(line);
}

void RunDirectory::replace_last_metrics(const nlohmann::ordered_json& row) {
  expect_metrics_as_written();
  std::string text = fs::exists(metrics()) ? read_file(metrics()) : "";
  expect(text.ends_with('\n'), "metrics.jsonl: expected a last row to replace, found none");
  text.pop_back();
  text.resize(text.find_last_of('\n') + 1);  // npos + 1 is 0
  last_row_ = json_text(row) + '\n';
  written_ = text.size() + last_row_.size();
  write_whole_file(metrics(), text + last_row_);
}

void RunDirectory::sync_metrics() const {
  const int file = ::open(metrics().c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // no round yet
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  expect(synced, "run directory: expected to sync {}, found: {}", metrics().string(), std::strerror(errno));
}

void RunDirectory::write_summary(const nlohmann::ordered_json& json) const { write_whole_file(summary(), json_text(json, 2) + '\n'); }

}  // namespace paretofl
