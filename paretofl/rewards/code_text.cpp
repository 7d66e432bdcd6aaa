#include "paretofl/rewards/code_text.h"

#include <algorithm>
#include <string>

#include "paretofl/rewards/answer_text.h"

namespace paretofl {
namespace {

/// What follows the backticks of a line that is a fence.
std::optional<std::string_view> fence(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start > 3 || !line.substr(start).starts_with("```")) return std::nullopt;
  return trimmed(line.substr(start + 3));
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(std::string_view text) {
  std::vector<FencedBlock> blocks;
  std::optional<FencedBlock> open;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::optional<std::string_view> behind = fence(text.substr(begin, end - begin));
    if (behind && !open) {
      open = {behind->substr(0, behind->find_first_of(" \t")), text.substr(end)};
    } else if (behind && behind->empty()) {
      open->code = open->code.substr(0, static_cast<std::size_t>(text.data() + begin - open->code.data()));
      blocks.push_back(*open);
      open.reset();
    }
    begin = end;
  }
  return blocks;
}

bool is_python(const FencedBlock& block) {
  std::string word(block.language);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word.empty() || word == "python" || word == "python3" || word == "py";
}

std::string_view code_text(std::string_view completion) {
  const std::string_view answer = tagged_text(completion, "answer").value_or(completion);
  const std::vector<FencedBlock> blocks = fenced_blocks(answer);
  const auto found = std::find_if(blocks.begin(), blocks.end(), is_python);
  return found == blocks.end() ? answer : found->code;
}

}  // namespace paretofl
