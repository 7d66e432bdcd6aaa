#include "paretofl/model_files/stored_tensor.h"

#include <charconv>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {

const StoredTensor& stored_tensor(const SafetensorsFolder& files, const std::string& name) {
  if (!files.contains(name)) {
    for (const std::string prefix : {"model.", "transformer.", "deberta."}) {
      if (name.starts_with(prefix) && files.contains(name.substr(prefix.size()))) return files.tensor(name.substr(prefix.size()));
    }
  }
  return files.tensor(name);
}

void expect_layers(const SafetensorsFolder& files, std::int64_t layers, const std::string& folder) {
  for (const auto& [name, tensor] : files.tensors()) {
    for (const std::string_view list : {"layers.", "layer.", "h."}) {  // of Llama and its kin, of DeBERTa, and of GPT-2
      const std::size_t at = name.find(list);
      if (at == std::string::npos || (at > 0 && name[at - 1] != '.')) continue;
      std::int64_t number = 0;
      const char* begin = name.data() + at + list.size();
      const auto parsed = std::from_chars(begin, name.data() + name.size(), number);
      const bool numbered = parsed.ec == std::errc() && parsed.ptr != name.data() + name.size() && *parsed.ptr == '.';
      expect(!numbered || number < layers, "{}: expected tensors of the {} layers that config.json tells, found {}", folder, layers, name);
    }
  }
}

}  // namespace paretofl
