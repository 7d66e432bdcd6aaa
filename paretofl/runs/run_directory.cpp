#include "paretofl/runs/run_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

}  // namespace

RunDirectory RunDirectory::create(const fs::path& path, bool overwrite) {
  RunDirectory directory(path);
  std::error_code error;
  expect(!fs::exists(path) || fs::is_directory(path), "run directory: expected a folder, found the file {}", path.string());
  if (fs::exists(path) && !fs::is_empty(path)) {
    expect(overwrite, "run directory: expected {} to be empty or absent, found files in it; use --resume or --overwrite", path.string());
    expect(fs::exists(directory.config()), "run directory: expected an earlier run in {} to overwrite, found no config.toml",
           path.string());
    fs::remove_all(directory.checkpoints(), error);
    for (const fs::path& file : {directory.metrics(), directory.summary(), directory.events(), path / "report.html"})
      fs::remove(file, error);
  }
  fs::create_directories(directory.checkpoints(), error);
  expect(!error, "run directory: expected to make {}, found: {}", path.string(), error.message());
  return directory;
}

RunDirectory RunDirectory::open(const fs::path& path) {
  RunDirectory directory(path);
  expect(fs::exists(directory.config()), "run directory: expected a run in {}, found no config.toml", path.string());
  std::error_code error;
  fs::create_directories(directory.checkpoints(), error);
  expect(!error, "run directory: expected to make {}, found: {}", directory.checkpoints().string(), error.message());
  return directory;
}

bool RunDirectory::finished() const { return fs::exists(summary()); }

void RunDirectory::write_config(const Settings& resolved) const { write_whole_file(config(), to_toml(resolved)); }

std::vector<nlohmann::ordered_json> RunDirectory::rewind_metrics(std::uint32_t round) {
  std::vector<nlohmann::ordered_json> rows;
  std::string kept;
  {
    std::ifstream file(metrics());
    std::string line;
    while (rows.size() < round && std::getline(file, line)) {
      auto row = nlohmann::ordered_json::parse(line, nullptr, false);
      const bool expected = row.is_object() && row.value("round", std::uint32_t{0}) == rows.size() + 1;
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

void RunDirectory::sync_metrics() const {
  const int file = ::open(metrics().c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;  // no round yet
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  expect(synced, "run directory: expected to sync {}, found: {}", metrics().string(), std::strerror(errno));
}

void RunDirectory::write_summary(const nlohmann::ordered_json& json) const { write_whole_file(summary(), json.dump(2) + '\n'); }

}  // namespace paretofl
