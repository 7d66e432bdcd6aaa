#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A block of code between fences: lines that begin, after at most three spaces, or more in an item of a list, with three or more
/// backticks or tildes.
struct FencedBlock {
  std::string_view language;  ///< the word behind the opening fence; may be empty
  std::string_view code;
  std::size_t begin = 0;   ///< of the opening fence's line
  std::size_t indent = 0;  ///< spaces before the opening fence, which are no part of the code's lines either
  bool closed = true;
};

/// The blocks of a text, in order. The fence that closes a block is of the same kind as the one that opens it, at least as
/// long, and has nothing behind it but blanks. A block that is never closed reaches to the next line that could close a
/// shorter one, or to the text's end; one whose fence names no language, to the next fence that names one.
std::vector<FencedBlock> fenced_blocks(std::string_view text);

/// Whether a block's language is Python: python, python3 or py in any case, or not said.
bool is_python(const FencedBlock& block);

/// The code of a block, its lines without the spaces that its fence has before it.
std::string code_of(const FencedBlock& block);

/// The program of a completion: of what stands in its last <answer> tag, or where it has none of all of it.
///
/// There, the last block between a line [BEGIN] and a line [DONE], as MBPP's own prompts have them, or [PYTHON] and [/PYTHON], that
/// defines one of `names`, or where there are no fences the last such block; the first one may lack its beginning, and the last one its
/// end. Lines in a closed fenced block are no such lines. Of this block, or without one of all of it: the last
/// closed block in Python that defines one of `names`; or else the last such block that is never closed, or what stands before
/// a closing fence without its beginning, if that does; or else the last closed one in Python. Without any, what an opening
/// fence without its end begins, or what stands before a closing fence without its beginning; and without fences all of it.
std::string code_text(std::string_view completion, std::span<const std::string> names = {});

}  // namespace paretofl
