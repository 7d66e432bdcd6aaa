#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace paretofl {

/// The folder DIR/federation of a federation on one machine: its config, its parts, the states and logs of its clients, and run.json of the
/// server's run (run_start.h). A new federation takes the place of an earlier one only when its run has begun.
class FederationFolder {
 public:
  static constexpr const char* kConfig = "config.toml";
  static constexpr const char* kParts = "parts";

  explicit FederationFolder(const std::filesystem::path& run_directory);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / kConfig; }
  std::filesystem::path parts() const { return path_ / kParts; }
  /// Where a split is made that becomes parts().
  std::filesystem::path new_parts() const { return path_ / "parts.new"; }
  /// Whether the server's run has begun.
  bool has_run() const;

  /// Throws Error where the folder holds anything that no federation writes: it would be lost.
  void expect_nothing_else() const;

  /// Ends what a process that was killed, or failed, left half done: of an earlier federation that was set aside, the new one stays if its
  /// run has begun, and else the earlier one is put back.
  void settle() const;
  /// Moves what there is aside, and new_parts() to parts().
  void replace() const;
  /// Removes the folder where it holds nothing, and the run directory likewise. The folder must not be locked.
  void remove_if_empty() const;

 private:
  std::filesystem::path earlier() const { return path_ / "earlier"; }
  std::filesystem::path moving() const { return path_ / "moving"; }
  /// What is in it, but for the lock and what is aside.
  std::vector<std::filesystem::path> entries() const;

  std::filesystem::path run_directory_;
  std::filesystem::path path_;
};

}  // namespace paretofl
