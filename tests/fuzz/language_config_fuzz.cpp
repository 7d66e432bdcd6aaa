#include <cstddef>
#include <cstdint>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/model_files/language_model_config.h"

/// A model's config.json or an adapter's adapter_config.json: whatever the text, it is read or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const paretofl::LanguageModelConfig config = paretofl::parse_language_model_config(text, "fuzz");
    if (config.num_attention_heads % config.num_key_value_heads != 0 || config.head_dim < 1) __builtin_trap();
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  try {
    if (paretofl::parse_peft_options(text, "fuzz").rank < 1) __builtin_trap();
  } catch (const paretofl::Error&) {
    // As above.
  }
  return 0;
}
