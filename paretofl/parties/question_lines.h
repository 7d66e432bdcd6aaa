#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A prompt or a question in a party's folder.
struct QuestionLine {
  std::string task = {};       ///< which task asks it; empty where there is one task alone
  std::string prompt;          ///< the text, without instruction or chat template
  std::string reference = {};  ///< what a correct answer says, where that is known
  bool operator==(const QuestionLine&) const = default;
};

/// Writes JSON lines: {"task": .., "prompt": .., "reference": ..}, without the fields that are empty.
void write_question_lines(std::span<const QuestionLine> lines, const std::filesystem::path& file);

/// Throws Error, naming `file` and the line, for what is not an object of JSON with such texts, for an empty prompt, and where there is no
/// line. Blank lines and other fields are passed over.
std::vector<QuestionLine> parse_question_lines(std::string_view text, const std::string& file);

/// The same of a file, plain or gzip-compressed.
std::vector<QuestionLine> read_question_lines(const std::filesystem::path& file);

}  // namespace paretofl
