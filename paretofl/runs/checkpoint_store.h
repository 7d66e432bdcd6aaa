#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

struct Checkpoint {
  std::uint32_t round = 0;
  Record state;
  std::vector<std::string> warnings;  ///< one line for each newer checkpoint that could not be read
};

/// The checkpoints of one run: files checkpoint-000123.bin in a folder, each a saved state as the wire
/// format has it. A crash or a full disk at any moment leaves the earlier ones whole. One process
/// at a time writes to a folder.
class CheckpointStore {
 public:
  /// Keeps the last `keep` >= 1 checkpoints. Makes the folder where it is missing.
  explicit CheckpointStore(std::filesystem::path folder, std::size_t keep = 3);

  /// Writes aside, syncs to disk and renames; then removes checkpoints that are too old and what an
  /// earlier crash left half-written. Throws Error where that fails, with the earlier ones intact.
  void save(std::uint32_t round, Record state);

  /// The newest checkpoint that is whole. A damaged one on the way is a warning; it stays where it is
  /// until a save of its round replaces it. Nothing where there are none yet; throws Error where none of
  /// those there is whole.
  std::optional<Checkpoint> load_newest() const;

  /// The rounds that have a checkpoint, ascending.
  std::vector<std::uint32_t> rounds() const;

 private:
  std::filesystem::path path_of(std::uint32_t round) const;
  std::vector<std::string> file_names() const;
  void remove_partial() const;

  std::filesystem::path folder_;
  std::size_t keep_;
};

}  // namespace paretofl
