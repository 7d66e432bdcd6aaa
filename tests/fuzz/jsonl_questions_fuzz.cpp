#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/questions/dapo_math.h"
#include "paretofl/questions/jsonl_questions.h"

namespace {

/// Any text is either questions with a prompt and a reference each, or an Error of one line that names the text.
template <class Read>
void expect_questions(const Read& read) {
  try {
    const std::vector<paretofl::Question> questions = read();
    if (questions.empty()) std::abort();
    for (const paretofl::Question& question : questions) {
      if (question.prompt.empty() || question.reference.empty()) std::abort();
    }
  } catch (const paretofl::Error& error) {
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos || !message.starts_with("fuzz")) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_questions([&] {
    std::vector<std::string> splits;
    const auto questions = paretofl::parse_jsonl_questions(text, "fuzz", {.reference = "reward_model.ground_truth"}, &splits);
    if (splits.size() != questions.size()) std::abort();
    return questions;
  });
  expect_questions([&] { return paretofl::parse_dapo_math(text, "fuzz"); });
  return 0;
}
