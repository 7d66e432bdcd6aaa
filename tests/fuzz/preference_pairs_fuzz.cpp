#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/text/preference_pairs.h"

/// Any text is either pairs whose prompts end with the assistant's turn or an Error of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  try {
    const auto pairs = paretofl::parse_preference_pairs({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (pairs.empty()) std::abort();
    for (const paretofl::PreferencePair& pair : pairs) {
      if (!pair.prompt.ends_with("\n\nAssistant:")) std::abort();
    }
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
