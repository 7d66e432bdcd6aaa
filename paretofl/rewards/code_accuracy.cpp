#include "paretofl/rewards/code_accuracy.h"

#include <algorithm>

#include "paretofl/core/thread_pool.h"
#include "paretofl/rewards/code_tests.h"
#include "paretofl/rewards/code_text.h"
#include "paretofl/rewards/test_runner.h"

namespace paretofl {

void CodeAccuracy::Options::describe(OptionVisitor& visit) {
  visit.boolean("share", share, "the share of the tests that pass counts, instead of all or nothing");
  visit.integer("at_once", at_once, 1, 1024, "programs that run at a time, of one call");
  visit.group("sandbox", [this](OptionVisitor& inner) { sandbox.describe(inner); });
}

double CodeAccuracy::score(const Answer& answer) const {
  const CodeTests tests = parse_code_tests(answer.reference, "code_accuracy: reference");
  const std::string verdicts = sandbox_.run(kTestRunner, test_input(tests, code_text(answer.completion))).output;
  const double passed = static_cast<double>(std::count(verdicts.begin(), verdicts.end(), '+')) / static_cast<double>(tests.tests.size());
  return options_.share || passed == 1 ? passed : 0;
}

std::vector<double> CodeAccuracy::scores(std::span<const Answer> answers) const {
  std::vector<double> scores(answers.size());
  ThreadPool pool(std::min(static_cast<std::size_t>(options_.at_once), std::max<std::size_t>(answers.size(), 1)));
  pool.for_each(answers.size(), [&](std::size_t i) { scores[i] = score(answers[i]); });
  return scores;
}

}  // namespace paretofl
