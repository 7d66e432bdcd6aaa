#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/final_number.h"
#include "paretofl/rewards/number_text.h"

/// Any text gives one number or none, its numbers stand in it in their order, and its boxes are parts of it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const paretofl::NumberText read(text);
  std::size_t end = 0;
  for (const auto& number : read.numbers) {
    if (number.begin < end || number.end <= number.begin || number.end > read.text.size()) std::abort();
    if (number.value && number.value->denominator() <= 0) std::abort();
    end = number.end;
  }
  for (const std::string_view box : paretofl::boxed_texts(text)) {
    if (box.data() < text.data() || box.data() + box.size() > text.data() + text.size()) std::abort();
  }
  for (const auto place : {paretofl::AnswerPlace::kMarked, paretofl::AnswerPlace::kTagged, paretofl::AnswerPlace::kOpen}) {
    const auto number = paretofl::final_number(text, place);
    if (number && read.numbers.empty()) std::abort();
  }
  return 0;
}
