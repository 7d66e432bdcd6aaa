#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/mathematics/math_answer.h"
#include "paretofl/rewards/answer_text.h"

/// Any text is an answer or none; an answer is the same as itself. The input's first line is compared with the rest, in
/// both orders alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\n'));
  const std::string_view rest = text.substr(first.size());
  if (paretofl::same_math_answer(first, rest) != paretofl::same_math_answer(rest, first)) std::abort();
  if (paretofl::is_math_answer(text) != paretofl::same_math_answer(text, text)) std::abort();
  for (const auto& part : {paretofl::boxed_text(text), paretofl::tagged_text(text, "answer")}) {
    if (part && part->size() >= size) std::abort();
  }
  return 0;
}
