#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/molecules/xyz_file.h"
#include "paretofl/parties/question_lines.h"
#include "paretofl/tables/number_table.h"

namespace {

template <class Call>
void expect_error_or_done(const Call& call) {
  try {
    call();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

}  // namespace

// Any text is either what the reader promises or an Error of one line: questions, molecules, a table of numbers.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_error_or_done([&] {
    const auto lines = paretofl::parse_question_lines(text, "input");
    if (lines.empty() || lines.front().prompt.empty()) std::abort();
  });
  expect_error_or_done([&] {
    const auto molecules = paretofl::parse_xyz(text, "input");
    if (molecules.empty() || molecules.front().atoms.empty()) std::abort();
  });
  expect_error_or_done([&] {
    const std::vector<std::string> columns = {"mu", "alpha"};
    const auto values = paretofl::parse_number_table(text, "input", columns);
    if (values.size() != 2 || values[0].empty() || values[0].size() != values[1].size()) std::abort();
  });
  return 0;
}
