#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/model_files/safetensors.h"

namespace paretofl {

/// The tensors of a model's folder, memory-mapped: model.safetensors, or the shards that model.safetensors.index.json lists,
/// as one. Immutable, and safe to share between threads.
class SafetensorsFolder {
 public:
  /// Throws Error if there is neither, a file is damaged, or a shard misses a tensor that the index says it has.
  explicit SafetensorsFolder(const std::filesystem::path& folder);

  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  bool contains(std::string_view name) const { return tensors_.find(name) != tensors_.end(); }
  /// Throws Error naming the folder and the nearest name it has.
  const StoredTensor& tensor(std::string_view name) const;

 private:
  std::filesystem::path folder_;
  std::vector<Safetensors> files_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
};

/// The shard of every tensor that a model.safetensors.index.json lists. Throws Error, with `name` for the file, on anything
/// else than JSON with a weight_map of names to names of files in the same folder.
std::map<std::string, std::string> parse_shard_index(const std::string& text, const std::string& name);

}  // namespace paretofl
