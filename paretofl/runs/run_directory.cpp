#include "paretofl/runs/run_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.toml";
constexpr const char* kCheckpoints = "checkpoints";

/// Whether there is anything at the path; throws Error where that can't be told.
bool is_there(const fs::path& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  expect(!error, "run directory: expected to look at {}, found: {}", path.string(), error.message());
  return found;
}

/// Throws unless a new run may be written there.
void expect_room(const fs::path& path, bool overwrite) {
  if (!is_there(path)) return;
  std::error_code error;
  expect(fs::is_directory(path, error), "run directory: expected a folder, found the file {}", path.string());
  bool empty = true;  // but for what a run that ended before its config was written leaves
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    empty = empty && (name == FolderLock::kFile || (name == kCheckpoints && fs::is_empty(entry->path(), error)));
  }
  expect(!error, "run directory: expected to look into {}, found: {}", path.string(), error.message());
  if (empty) return;
  expect(overwrite, "run directory: expected {} to be empty or absent, found files in it; use --resume or --overwrite", path.string());
  for (const char* sign : {kConfig, kCheckpoints}) {
    expect(is_there(path / sign), "run directory: expected an earlier run in {} to overwrite, found no {}", path.string(), sign);
  }
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  expect(!error, "run directory: expected to make {}, found: {}", path.string(), error.message());
}

}  // namespace

RunDirectory::RunDirectory(fs::path path) : path_(std::move(path)), lock_((make_folder(path_), path_), "run") {}

RunDirectory RunDirectory::create(const fs::path& path, bool overwrite, const Settings& resolved) {
  expect_room(path, overwrite);
  RunDirectory directory(path);
  expect_room(path, overwrite);  // another process may have written while this one waited
  for (const fs::path& earlier :
       {directory.checkpoints(), directory.model(), directory.metrics(), directory.summary(), directory.events(), path / "report.html"}) {
    std::error_code error;
    fs::remove_all(earlier, error);
    expect(!error, "run directory: expected to remove {} of an earlier run, found: {}", earlier.string(), error.message());
  }
  make_folder(directory.checkpoints());
  directory.write_config(resolved);
  return directory;
}

fs::path RunDirectory::config_of(const fs::path& path) {
  expect(is_there(path / kConfig), "run directory: expected a run in {}, found no config.toml", path.string());
  return path / kConfig;
}

RunDirectory RunDirectory::open(const fs::path& path) {
  config_of(path);
  RunDirectory directory(path);
  make_folder(directory.checkpoints());
  return directory;
}

bool RunDirectory::finished() const { return fs::exists(summary()); }

void RunDirectory::write_config(const Settings& resolved) const { write_whole_file(config(), to_toml(resolved)); }

std::vector<nlohmann::ordered_json> RunDirectory::rewind_metrics(std::uint32_t round) {
  std::vector<nlohmann::ordered_json> rows;
  std::string kept;
  {
    std::istringstream file(fs::exists(metrics()) ? read_file(metrics()) : "");
    std::string line;
    while (rows.size() < round && std::getline(file, line)) {
      expect_shallow_json(line, fmt::format("metrics.jsonl:{}", rows.size() + 1));
      auto row = nlohmann::ordered_json::parse(line, nullptr, false);
      const bool expected = row.is_object() && row.contains("round") && row["round"] == rows.size() + 1;
      expect(expected, "metrics.jsonl: expected round {} in line {}, found '{:.60}'", rows.size() + 1, rows.size() + 1, line);
      rows.push_back(std::move(row));
      kept += line + '\n';
    }
  }
  expect(rows.size() == round, "metrics.jsonl: expected rounds 1 to {} of the checkpoint, found {}", round, rows.size());
  write_whole_file(metrics(), kept);
  std::error_code error;
  fs::remove(summary(), error);
  return rows;
}

void RunDirectory::append_metrics(const nlohmann::ordered_json& row) {
  std::ofstream file(metrics(), std::ios::app);
  file << row.dump() << '\n';
  file.flush();
  expect(static_cast<bool>(file), "run directory: expected to write {}, found: {}", metrics().string(), std::strerror(errno));
}

void RunDirectory::replace_last_metrics(const nlohmann::ordered_json& row) {
  std::string text = fs::exists(metrics()) ? read_file(metrics()) : "";
  expect(text.ends_with('\n'), "metrics.jsonl: expected a last row to replace, found none");
  text.pop_back();
  text.resize(text.find_last_of('\n') + 1);  // npos + 1 is 0
  write_whole_file(metrics(), text + row.dump() + '\n');
}

void RunDirectory::sync_metrics() const {
  const int file = ::open(metrics().c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // no round yet
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  expect(synced, "run directory: expected to sync {}, found: {}", metrics().string(), std::strerror(errno));
}

void RunDirectory::write_summary(const nlohmann::ordered_json& json) const { write_whole_file(summary(), json.dump(2) + '\n'); }

}  // namespace paretofl
