#include "paretofl/rewards/code_accuracy.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/rewards/code_tests.h"
#include "paretofl/rewards/code_text.h"
#include "paretofl/rewards/test_ends.h"
#include "paretofl/rewards/test_link.h"
#include "paretofl/rewards/test_runner.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

// Python takes longer to compile the runner than to run it, so that is done once.
constexpr const char* kCompiler = R"PY(
import marshal, sys
sys.stdout.write(marshal.dumps(compile(sys.stdin.read(), "runner", "exec")).hex())
)PY";

std::string compiled_runner(SandboxOptions options) {
  options.wall_seconds = std::max<std::int64_t>(options.wall_seconds, 60);
  options.cpu_seconds = std::max<std::int64_t>(options.cpu_seconds, 10);
  options.memory_mb = std::max<std::int64_t>(options.memory_mb, 256);
  options.output_kb = 1024;
  const SandboxResult result = Sandbox(options).run(kCompiler, fmt::format("{}{}{}", kTestLink, kTestEnds, kTestRunner));
  expect(result.end == SandboxEnd::kPassed, "code_accuracy: expected {} to compile its test runner, found {}", options.python,
         shown(result.output));
  return fmt::format("import marshal\nexec(marshal.loads(bytes.fromhex('{}')))", result.output);
}

}  // namespace

void CodeAccuracy::Options::describe(OptionVisitor& visit) {
  visit.boolean("share", share, "score the share of the tests that pass, instead of 1 for all and 0 otherwise");
  visit.integer("at_once", at_once, 1, 1024, "number of programs that run at the same time");
  visit.group("sandbox", [this](OptionVisitor& inner) { sandbox.describe(inner); });
}

CodeAccuracy::CodeAccuracy(const Options& options)
    : options_(options), sandbox_(options.sandbox), runner_(compiled_runner(options.sandbox)) {}

double CodeAccuracy::score(const Answer& answer) const {
  const CodeTests tests = parse_code_tests(answer.reference, "code_accuracy: reference");
  const std::string verdicts = sandbox_.run(runner_, test_input(tests, code_text(answer.completion, tests.names))).output;
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
