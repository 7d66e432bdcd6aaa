#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/questions/competition_math.h"
#include "paretofl/questions/gsm8k.h"

/// Any text is either questions with a prompt each or an Error of one line, for the readers of both formats.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  for (const auto& parse : {paretofl::parse_gsm8k, paretofl::parse_competition_math}) {
    try {
      const auto questions = parse({reinterpret_cast<const char*>(data), size}, "fuzz");
      if (questions.empty()) std::abort();
      for (const paretofl::Question& question : questions) {
        if (question.prompt.empty()) std::abort();
      }
    } catch (const paretofl::Error& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
  }
  return 0;
}
