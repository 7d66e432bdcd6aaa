#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "paretofl/registry/settings.h"
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
  /// Throws Error, as create() does, unless a new run may be written there.
  static void expect_room(const std::filesystem::path& path, bool overwrite);
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
  /// Whether the folder holds the summary of a run that ended well; throws Error where its summary can't be read.
  static bool succeeded(const std::filesystem::path& folder);

  void write_config(const Settings& resolved) const;

  /// Keeps the rows of rounds 1 .. `round` of metrics.jsonl, drops later ones, and returns those kept.
  /// Throws Error where one of them is missing, or where metrics_digest() of those kept is not `digest`;
  /// `last_row` takes the place of the last one, unless it is empty.
  std::vector<nlohmann::ordered_json> rewind_metrics(std::uint32_t round, const std::string& digest, const std::string& last_row);
  /// The last row as it was written, with its line's end; empty where there is none.
  const std::string& last_row() const { return last_row_; }
  /// Tells whether the rows are the same, but for the last, which a run's end may replace.
  const std::string& metrics_digest() const { return sealed_; }
  /// Appends one row and hands it to the system. Throws Error where another has changed the file meanwhile.
  void append_metrics(const nlohmann::ordered_json& row);
  /// Puts a row in the place of the last one, at once.
  void replace_last_metrics(const nlohmann::ordered_json& row);
  /// Forces the rows to disk, before a checkpoint that counts on them.
  void sync_metrics() const;

  void write_summary(const nlohmann::ordered_json& summary) const;

 private:
  /// Makes and locks the folder, and removes what was being written there when a process was killed.
  explicit RunDirectory(std::filesystem::path path);
  void expect_metrics_as_written() const;
  void note_row(std::string line);
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }

  std::filesystem::path path_;
  FolderLock lock_;
  std::string sealed_;          ///< digest of all rows but the last
  std::string last_row_;        ///< with its line's end; empty where there is none
  std::uintmax_t written_ = 0;  ///< bytes of metrics.jsonl
};

}  // namespace paretofl
