#include "paretofl/rewards/code_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_text.h"

namespace paretofl {
namespace {

struct Fence {
  char kind;
  std::size_t length;
  std::size_t indent;
  std::string_view behind;  // without blanks at its ends

  bool closes(const Fence& opening) const {
    return kind == opening.kind && length >= opening.length && behind.empty() && (indent <= 3 || opening.is_deep());
  }
  // Whether it stands further in than at the beginning of a line, as in an item of a list.
  bool is_deep() const { return indent > 3; }
};

std::optional<Fence> fence_of(std::string_view line) {
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || (line[indent] != '`' && line[indent] != '~')) return std::nullopt;
  const char kind = line[indent];
  const std::size_t end = std::min(line.find_first_not_of(kind, indent), line.size());
  const std::string_view behind = trimmed(line.substr(end));
  if (end - indent < 3 || (kind == '`' && behind.find('`') != std::string_view::npos)) return std::nullopt;
  return Fence{kind, end - indent, indent, behind};
}

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// The word of a language, as in "python title=x", "python:main.py" and "{.python}".
std::string_view language_of(std::string_view behind) {
  const std::size_t begin = std::min(behind.find_first_not_of("{. \t"), behind.size());
  std::size_t end = begin;
  while (end < behind.size() && (is_name_character(behind[end]) || behind[end] == '+' || behind[end] == '#' || behind[end] == '-')) ++end;
  return behind.substr(begin, end - begin);
}

// Where the text of a line begins; past every fence for a blank line.
std::size_t fence_column(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos ? 1000 : line.find_first_not_of(' ');
}

// Whether a line begins an item of a list: "1. So", "- so".
bool begins_list_item(std::string_view line) {
  const std::string_view text = trimmed(line);
  const std::size_t digits = digits_of(text);
  const std::string_view marker = text.substr(digits);
  const bool marked = !marker.empty() && std::string_view(digits > 0 ? ".)" : "-*+").find(marker[0]) != std::string_view::npos;
  return marked && digits < 10 && marker.size() > 1 && marker[1] == ' ';
}

std::string_view next_line(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin);
}

// Whether a line of a text begins with one of the words, behind blanks.
template <typename Words>
bool has_line_with(std::string_view text, const Words& words) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view line = next_line(text, begin);
    const std::string_view start = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (std::any_of(words.begin(), words.end(), [&](std::string_view word) { return start.starts_with(word); })) return true;
    begin += line.size();
  }
  return false;
}

constexpr std::array<std::string_view, 6> kPythonLines{"def ", "class ", "import ", "from ", "async def ", "@"};

bool goes_on_with(std::string_view text, std::string_view name) {
  return text.starts_with(name) && (text.size() == name.size() || !is_name_character(text[name.size()]));
}

std::string_view without_blanks(std::string_view text) { return text.substr(std::min(text.find_first_not_of(" \t"), text.size())); }

// Whether a line of Python code defines a name: def f, class f, f = ..
bool defines(std::string_view code, std::string_view name) {
  for (std::size_t begin = 0; begin < code.size();) {
    const std::string_view line = next_line(code, begin);
    begin += line.size();
    std::string_view start = without_blanks(line);
    if (goes_on_with(start, "async")) start = without_blanks(start.substr(5));
    for (const std::string_view keyword : {"def", "class"}) {
      if (goes_on_with(start, keyword) && goes_on_with(without_blanks(start.substr(keyword.size())), name)) return true;
    }
    if (!goes_on_with(line, name)) continue;
    const std::string_view behind = without_blanks(line.substr(name.size()));
    if (behind.starts_with(':') || (behind.starts_with('=') && !behind.starts_with("=="))) return true;
  }
  return false;
}

// Lines around a program: those of MBPP's own prompts, and those of Code Llama's.
struct ProgramMarks {
  std::string_view begin;
  std::string_view end;
};
constexpr std::array<ProgramMarks, 2> kProgramMarks{{{"[BEGIN]", "[DONE]"}, {"[PYTHON]", "[/PYTHON]"}}};

bool begins_program(std::string_view line) {
  return std::any_of(kProgramMarks.begin(), kProgramMarks.end(), [&](const ProgramMarks& marks) { return trimmed(line) == marks.begin; });
}

bool ends_program(std::string_view line) {
  return std::any_of(kProgramMarks.begin(), kProgramMarks.end(), [&](const ProgramMarks& marks) { return trimmed(line) == marks.end; });
}

// Whether a line is one of a block that its fences close: a program may have such lines in its texts.
bool is_within(std::string_view line, std::span<const FencedBlock> blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [line](const FencedBlock& block) {
    const bool inside = block.closed && line.data() >= block.code.data() && line.data() < block.code.data() + block.code.size();
    return inside && !begins_program(next_line(trimmed(block.code), 0));
  });
}

// The blocks between lines of such marks. A first one may lack its beginning, which a prompt has, and the last one its end.
std::vector<FencedBlock> marked_blocks(std::string_view text, std::span<const FencedBlock> fenced) {
  std::vector<FencedBlock> blocks;
  bool open = true;
  bool marked = false;
  std::size_t code_at = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view line = next_line(text, begin);
    const bool begins = begins_program(line);
    if ((begins || ends_program(line)) && !is_within(line, fenced)) {
      if (open && (!begins || marked)) blocks.push_back({{}, text.substr(code_at, begin - code_at), code_at, 0, !begins});
      open = begins;
      marked = true;
      code_at = begin + line.size();
    }
    begin += line.size();
  }
  if (open && marked) blocks.push_back({{}, text.substr(code_at), code_at, 0, false});
  return blocks;
}

bool defines_any(std::string_view code, std::span<const std::string> names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return defines(code, name); });
}

// The program of a text by its fences.
std::string fenced_code(std::string_view answer, const std::vector<FencedBlock>& blocks, std::span<const std::string> names) {
  const auto defining = [&names](const FencedBlock& block) { return defines_any(block.code, names); };
  const auto last = [&blocks](const auto& wanted) { return std::find_if(blocks.rbegin(), blocks.rend(), wanted); };
  const auto answering = last([&](const FencedBlock& block) { return block.closed && is_python(block) && defining(block); });
  if (answering != blocks.rend()) return code_of(*answering);
  const auto half = last([&](const FencedBlock& block) { return !block.closed && is_python(block) && defining(block); });
  if (half != blocks.rend()) return code_of(*half);
  const std::string_view first = answer.substr(0, blocks.empty() ? 0 : blocks.front().begin);
  if (!blocks.empty() && !blocks.front().closed && defines_any(first, names)) return std::string(first);
  const auto closed = last([](const FencedBlock& block) { return block.closed && is_python(block); });
  if (closed != blocks.rend()) return code_of(*closed);
  if (blocks.empty() || blocks.back().closed) return std::string(answer);
  const FencedBlock& open = blocks.back();
  const std::string_view before = answer.substr(0, open.begin);
  const bool closes = open.language.empty() &&
                      (trimmed(open.code).empty() || has_line_with(before, kPythonLines) || !has_line_with(open.code, kPythonLines));
  if (closes && !trimmed(before).empty()) return std::string(before);
  return is_python(open) ? code_of(open) : std::string(answer);
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(std::string_view text) {
  std::vector<FencedBlock> blocks;
  std::optional<Fence> open;
  std::size_t open_at = 0;
  std::size_t code_at = 0;
  bool in_list = false;                // whether the last line that begins at the left is an item of a list
  std::optional<std::size_t> shorter;  // where a line stands that would close a shorter block than the open one
  const auto add = [&](std::size_t end, bool closed) {
    blocks.push_back({language_of(open->behind), text.substr(code_at, end - code_at), open_at, open->indent, closed});
    open.reset();
    shorter.reset();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view line = next_line(text, begin);
    std::optional<Fence> fence = fence_of(line);
    if (!open && fence_column(line) <= 3) in_list = begins_list_item(line);
    if (fence && fence->is_deep() && !(open ? fence->closes(*open) : in_list)) fence.reset();
    if (fence && !open) {
      open = fence;
      open_at = begin;
      code_at = begin + line.size();
    } else if (fence && fence->closes(*open)) {
      add(begin, true);
    } else if (fence && open->behind.empty() && !fence->behind.empty() && fence->kind == open->kind) {
      add(begin, false);  // what opened it was the end of something that was never opened
      open = fence;
      open_at = begin;
      code_at = begin + line.size();
    } else if (fence && fence->behind.empty() && !shorter) {
      shorter = begin;
    }
    begin += line.size();
  }
  if (open) add(shorter.value_or(text.size()), false);
  return blocks;
}

bool is_python(const FencedBlock& block) {
  const std::string word = lower_case(block.language);
  return word.empty() || word == "python" || word == "python3" || word == "py";
}

std::string code_of(const FencedBlock& block) {
  std::string code;
  for (std::size_t begin = 0; begin < block.code.size();) {
    const std::string_view line = next_line(block.code, begin);
    code += line.substr(std::min(line.find_first_not_of(' '), block.indent));
    begin += line.size();
  }
  return code;
}

std::string code_text(std::string_view completion, std::span<const std::string> names) {
  std::string_view answer = tagged_text(completion, "answer").value_or(completion);
  if (answer.starts_with("\xef\xbb\xbf")) answer.remove_prefix(3);  // a byte order mark would hide a fence
  const std::vector<FencedBlock> blocks = fenced_blocks(answer);
  const std::vector<FencedBlock> marked = marked_blocks(answer, blocks);
  const auto last = [&marked](const auto& wanted) { return std::find_if(marked.rbegin(), marked.rend(), wanted); };
  auto chosen = last([&](const FencedBlock& block) { return block.closed && defines_any(block.code, names); });
  if (chosen == marked.rend()) chosen = last([&](const FencedBlock& block) { return defines_any(block.code, names); });
  if (chosen == marked.rend() && blocks.empty()) chosen = last([](const FencedBlock& block) { return block.closed; });
  if (chosen == marked.rend() && blocks.empty()) chosen = marked.rbegin();
  return chosen == marked.rend() ? fenced_code(answer, blocks, names) : fenced_code(chosen->code, fenced_blocks(chosen->code), names);
}

}  // namespace paretofl
