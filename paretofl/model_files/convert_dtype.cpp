#include "paretofl/model_files/convert_dtype.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/safetensors_folder.h"
#include "paretofl/model_files/stored_numbers.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, StoredTensor, std::less<>>;

bool is_integer(TensorType type) {
  using enum TensorType;
  return type == kInt64 || type == kInt32 || type == kInt16 || type == kInt8 || type == kUint64 || type == kUint32 || type == kUint16 ||
         type == kUint8 || type == kBool;
}

/// By its extension; all other files of the folder say how the weights are used.
bool holds_weights(const fs::path& name) {
  constexpr std::array<std::string_view, 8> kExtensions{".safetensors", ".bin", ".pt", ".pth", ".gguf", ".h5", ".msgpack", ".onnx"};
  return std::find(kExtensions.begin(), kExtensions.end(), name.extension().string()) != kExtensions.end();
}

void write_converted(const Tensors& tensors, TensorType type, const fs::path& file) {
  std::map<std::string, std::vector<std::byte>> bytes;
  Tensors converted;
  for (const auto& [name, tensor] : tensors) {
    converted[name] = tensor;
    if (is_integer(tensor.type)) continue;
    bytes[name] = stored_as(tensor, type, name);
    converted[name].type = type;
    converted[name].bytes = bytes[name];
  }
  write_safetensors(file, converted);
}

nlohmann::json read_object(const fs::path& file) {
  nlohmann::json object = parse_json(read_text(file), file.string());
  expect(object.is_object(), "{}: expected a JSON object, found {}", file.string(), object.type_name());
  return object;
}

void copy_config(const fs::path& from, const fs::path& to, const std::string& dtype) {
  nlohmann::json config = read_object(from);
  config["torch_dtype"] = dtype;
  write_whole_file(to, config.dump(2) + "\n");
}

/// A base model that the configuration names from its own folder is named by its whole path in the copy.
void copy_adapter_config(const fs::path& from, const fs::path& to) {
  constexpr const char* kBase = "base_model_name_or_path";
  nlohmann::json config = read_object(from);
  if (const auto base = config.find(kBase); base != config.end() && base->is_string() && !base->get<std::string>().empty()) {
    std::error_code none;
    const fs::path folder = from.parent_path() / base->get<std::string>();
    if (fs::is_directory(folder, none)) *base = fs::absolute(folder).lexically_normal().string();
  }
  write_whole_file(to, config.dump(2) + "\n");
}

}  // namespace

void convert_dtype(const fs::path& from, const fs::path& to, const std::string& dtype) {
  const TensorType type = floating_type(dtype);
  expect(fs::is_directory(from), "{}: expected a folder of a model or an adapter, found none", from.string());
  std::error_code failure;
  fs::create_directories(to, failure);
  expect(!failure, "{}: expected a folder that can be made, found: {}", to.string(), failure.message());
  expect(!fs::equivalent(from, to), "{}: expected another folder to write to, found the one to read from", to.string());
  if (const fs::path adapter = from / "adapter_model.safetensors"; fs::exists(adapter)) {
    write_converted(Safetensors(adapter).tensors(), type, to / adapter.filename());
  } else {
    write_converted(SafetensorsFolder(from).tensors(), type, to / "model.safetensors");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    if (name == "model.safetensors.index.json" || !entry.is_regular_file() || holds_weights(name)) continue;
    if (name == "config.json") {
      copy_config(entry.path(), to / name, dtype);
    } else if (name == "adapter_config.json") {
      copy_adapter_config(entry.path(), to / name);
    } else {
      fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing, failure);
      expect(!failure, "{}: expected to copy it to {}, found: {}", entry.path().string(), to.string(), failure.message());
    }
  }
}

}  // namespace paretofl
