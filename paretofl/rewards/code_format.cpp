#include "paretofl/rewards/code_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/rewards/code_text.h"

namespace paretofl {
namespace {

// Reads texts, each behind its size in bytes and a line feed, and prints + or - for each. 0x400 is ast.PyCF_ONLY_AST; the ast
// module itself takes longer to load than most texts to parse.
constexpr const char* kParser = R"PY(
import os, sys
os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
texts = sys.stdin.buffer
while size := texts.readline():
    text = texts.read(int(size))
    try:
        compile(text.decode(), "block", "exec", 0x400)
        verdict = b"+"
    except Exception:
        verdict = b"-"
    os.write(1, verdict)
)PY";

}  // namespace

void CodeFormat::Options::describe(OptionVisitor& visit) {
  visit.group("sandbox", [this](OptionVisitor& inner) { sandbox.describe(inner); });
}

std::vector<double> CodeFormat::scores(std::span<const Answer> answers) const {
  std::vector<double> scores(answers.size());
  std::vector<std::size_t> candidates;  // answers with one block of Python
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::vector<FencedBlock> blocks = fenced_blocks(answers[i].completion);
    if (blocks.size() != 1 || !blocks[0].closed || !is_python(blocks[0])) continue;
    candidates.push_back(i);
    const std::string code = code_of(blocks[0]);
    texts.push_back(fmt::format("{}\n{}", code.size(), code));
  }
  constexpr std::size_t kMost = 1000;  // of one start, within the limits on output and computing time
  for (std::size_t first = 0; first < texts.size();) {
    const std::size_t count = std::min(texts.size() - first, kMost);
    const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(first);
    const std::string verdicts =
        sandbox_.run(kParser, fmt::format("{}", fmt::join(begin, begin + static_cast<std::ptrdiff_t>(count), ""))).output;
    for (std::size_t i = 0; i < std::min(verdicts.size(), count); ++i) scores[candidates[first + i]] = verdicts[i] == '+' ? 1 : 0;
    // The one behind the last verdict stopped the parser, or came when the limits of all together were reached: it gets a start of
    // its own, and only if it stops that too it is none.
    first += verdicts.empty() ? 1 : std::min(verdicts.size(), count);
  }
  return scores;
}

}  // namespace paretofl
