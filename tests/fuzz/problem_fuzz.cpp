#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/parties/problem.h"
#include "paretofl/parties/problem_part.h"
#include "paretofl/tables/table_facts.h"
#include "paretofl/workloads/image_part.h"

namespace {

void expect_one_line(const paretofl::Error& error) {
  if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
}

template <class Call>
void expect_error_or_done(const Call& call) {
  try {
    call();
  } catch (const paretofl::Error& error) {
    expect_one_line(error);
  }
}

}  // namespace

// Any text is either a problem, which is written and read back as the same one and whose facts are read, or an Error of one line; the same
// of the owner of a part.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_error_or_done([&] { paretofl::parse_owner(text, "input"); });
  expect_error_or_done([&] {
    const paretofl::Problem problem = paretofl::parse_problem(text, "input");
    const std::string written = paretofl::problem_text(problem);
    const paretofl::Problem again = paretofl::parse_problem(written, "written");
    paretofl::expect_same_problem(problem, again, "written");
    if (paretofl::problem_text(again) != written) std::abort();
    expect_error_or_done([&] {
      const paretofl::ImageSplits splits = paretofl::splits_of_facts(problem, "input");
      if (splits.train.heads.size() != problem.objectives.size()) std::abort();
    });
    expect_error_or_done([&] {
      const auto objectives = paretofl::table_objectives({"a", "b"}, {"squared", "cross_entropy"});
      const paretofl::TableFacts facts = paretofl::read_table_facts(problem.facts, "input", objectives);
      if (paretofl::to_json(paretofl::read_table_facts(to_json(facts), "written", objectives)) != to_json(facts)) std::abort();
    });
  });
  return 0;
}
