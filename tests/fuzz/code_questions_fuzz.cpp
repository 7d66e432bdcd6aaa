#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/questions/humaneval.h"
#include "paretofl/questions/mbpp.h"
#include "paretofl/rewards/code_tests.h"

namespace {

/// Any text is either questions, whose references are tests, or an Error of one line.
template <class Read>
void expect_questions(const Read& read) {
  try {
    for (const paretofl::Question& question : read()) {
      if (paretofl::parse_code_tests(question.reference, "reference").tests.empty()) std::abort();
    }
  } catch (const paretofl::Error& error) {
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos || !message.starts_with("fuzz")) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_questions([&] { return paretofl::parse_humaneval(text, "fuzz"); });
  expect_questions([&] {
    const paretofl::QuestionSet set = paretofl::parse_mbpp(text, "fuzz");
    return set.training.empty() ? set.test : set.training;
  });
  return 0;
}
