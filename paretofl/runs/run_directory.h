#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "paretofl/core/settings.h"
#include "paretofl/runs/folder_lock.h"

namespace paretofl {

/// The folder a run leaves behind: config.toml, metrics.jsonl, summary.json, checkpoints/, and a
/// TensorBoard event file; model/ where the workload writes one. This process alone works in it while the object lives.
class RunDirectory {
 public:
  /// Makes the folder. A non-empty one is an Error, unless `overwrite`: then what an earlier run left
  /// in it is removed (and anything else stays; a folder without a run's config.toml is refused). Writes the config at once, so
  /// that whatever ends the run later leaves one that can be resumed.
  static RunDirectory create(const std::filesystem::path& path, bool overwrite, const Settings& resolved);
  /// Opens an existing run; throws Error where there is none.
  static RunDirectory open(const std::filesystem::path& path);
  /// The config of an existing run; throws Error where there is none.
  static std::filesystem::path config_of(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path model() const { return path_ / "model"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path events() const { return path_ / "events.out.tfevents.paretofl"; }
  bool finished() const;

  void write_config(const Settings& resolved) const;

  /// Keeps the rows of rounds 1 .. `round` of metrics.jsonl, drops later ones, and returns those kept.
  /// Throws Error where one of them is missing.
  std::vector<nlohmann::ordered_json> rewind_metrics(std::uint32_t round);
  /// Appends one row and hands it to the system.
  void append_metrics(const nlohmann::ordered_json& row);
  /// Puts a row in the place of the last one, at once.
  void replace_last_metrics(const nlohmann::ordered_json& row);
  /// Forces the rows to disk, before a checkpoint that counts on them.
  void sync_metrics() const;

  void write_summary(const nlohmann::ordered_json& summary) const;

 private:
  /// Makes and locks the folder.
  explicit RunDirectory(std::filesystem::path path);
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }

  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace paretofl
