#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace paretofl {

/// A block of code between fences: lines that begin, after at most three spaces, with three backticks.
struct FencedBlock {
  std::string_view language;  ///< the word behind the opening fence; may be empty
  std::string_view code;
};

/// The closed blocks of a text, in order; the fence that closes a block has nothing behind it but blanks.
std::vector<FencedBlock> fenced_blocks(std::string_view text);

/// Whether a block's language is Python: python, python3 or py in any case, or not said.
bool is_python(const FencedBlock& block);

/// The program of a completion: of what stands in its last <answer> tag, or where it has none of all of it, the first
/// fenced block in Python, or where there is none all of it.
std::string_view code_text(std::string_view completion);

}  // namespace paretofl
