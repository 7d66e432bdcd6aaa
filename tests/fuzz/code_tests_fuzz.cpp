#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/rewards/code_tests.h"
#include "paretofl/rewards/code_text.h"

/// Any completion has a program that is a part of it, and any reference is either tests or an Error of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view code = paretofl::code_text(text);
  if (code.data() < text.data() || code.data() + code.size() > text.data() + text.size()) std::abort();
  for (const paretofl::FencedBlock& block : paretofl::fenced_blocks(text)) {
    if (block.code.data() < text.data() || block.code.data() + block.code.size() > text.data() + text.size()) std::abort();
  }
  try {
    const paretofl::CodeTests tests = paretofl::parse_code_tests(text, "fuzz");
    if (tests.tests.empty() || tests.names.empty() || paretofl::test_input(tests, code).empty()) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
