#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors_header.h"

// Any bytes are either a whole safetensors file, whose tensors lie within them and leave no byte out, or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto content = std::as_bytes(std::span(data, size));
  try {
    std::size_t bytes = 0;
    for (const auto& [name, tensor] : paretofl::parse_safetensors(content, "input").tensors) {
      bytes += tensor.bytes.size();
      const bool within = tensor.bytes.empty() || (tensor.bytes.data() >= content.data() + 8 &&
                                                   tensor.bytes.data() + tensor.bytes.size() <= content.data() + content.size());
      if (!within || tensor.bytes.size() != paretofl::tensor_bytes(tensor.type, tensor.shape, name)) std::abort();
    }
    if (bytes + 8 > size) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
