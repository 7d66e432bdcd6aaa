#include <cstddef>
#include <cstdint>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/llama2c.h"

/// A llama2.c checkpoint: refused, or read with all tensors that its configuration names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  try {
    const paretofl::Llama2cModel model = paretofl::parse_llama2c(std::as_bytes(std::span(data, size)), "fuzz");
    if (model.tensors.size() != paretofl::decoder_slices(model.config).size()) __builtin_trap();
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  return 0;
}
