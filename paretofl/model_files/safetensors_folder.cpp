#include "paretofl/model_files/safetensors_folder.h"

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"
#include "paretofl/model_files/safetensors_header.h"

namespace paretofl {

std::map<std::string, std::string> parse_shard_index(const std::string& text, const std::string& name) {
  const nlohmann::json index = parse_json(text, name);
  const auto shards = index.find("weight_map");
  expect(index.is_object() && shards != index.end() && shards->is_object(), "{}: expected an object with a weight_map, found none", name);
  std::map<std::string, std::string> shard_of;
  for (const auto& [tensor, shard] : shards->items()) {
    const bool plain = shard.is_string() && std::filesystem::path(shard.get<std::string>()).filename() == shard.get<std::string>() &&
                       shard.get<std::string>().ends_with(".safetensors");
    expect(plain, "{}: expected names of .safetensors files in the same folder, found {}", name, shard.dump());
    shard_of.emplace(tensor, shard.get<std::string>());
  }
  return shard_of;
}

SafetensorsFolder::SafetensorsFolder(const std::filesystem::path& folder) : folder_(folder) {
  std::error_code failure;
  if (const auto whole = folder / "model.safetensors"; std::filesystem::exists(whole, failure)) {
    tensors_ = files_.emplace_back(whole).tensors();
    return;
  }
  const auto index = folder / "model.safetensors.index.json";
  expect(std::filesystem::exists(index, failure), "{}: expected model.safetensors or model.safetensors.index.json, found neither",
         folder.string());
  const std::string text = read_file(index);
  std::map<std::string, std::size_t> opened;
  for (const auto& [tensor, shard] : parse_shard_index(text, index.string())) {
    const auto [entry, is_new] = opened.emplace(shard, files_.size());
    if (is_new) files_.emplace_back(folder / shard);
    tensors_.emplace(tensor, files_[entry->second].tensor(tensor));
  }
}

const StoredTensor& SafetensorsFolder::tensor(std::string_view name) const { return named_tensor(tensors_, name, folder_.string()); }

}  // namespace paretofl
