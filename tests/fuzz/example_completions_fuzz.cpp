#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/report/example_completions.h"

/// Any text is either as many examples as it has lines or an Error of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    std::size_t lines = text.empty() || text.ends_with('\n') ? 0 : 1;
    for (const char c : text) lines += c == '\n' ? 1 : 0;
    if (paretofl::parse_example_completions(text, "fuzz").size() != lines) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
