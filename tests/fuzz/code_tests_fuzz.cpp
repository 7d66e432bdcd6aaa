#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/rewards/code_tests.h"
#include "paretofl/rewards/code_text.h"

/// Any completion has a program no longer than itself, its blocks are parts of it, and any reference is either tests or an Error of one
/// line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string code = paretofl::code_text(text);
  if (code.size() > text.size()) std::abort();
  for (const paretofl::FencedBlock& block : paretofl::fenced_blocks(text)) {
    if (block.begin >= text.size() || block.code.data() < text.data() || block.code.data() + block.code.size() > text.data() + text.size())
      std::abort();
  }
  try {
    const paretofl::CodeTests tests = paretofl::parse_code_tests(text, "fuzz");
    if (paretofl::code_text(text, tests.names).size() > text.size()) std::abort();
    if (tests.tests.empty() || tests.names.empty() || paretofl::test_input(tests, code).empty()) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
