#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/text/text_file.h"

namespace paretofl {

/// Goes through a text line by line and splits each into words at blanks, for parsers of data files. Every Error names
/// the file and the line. The text must outlive the reader.
class TextLines {
 public:
  TextLines(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  bool at_end() const { return rest_.empty(); }
  /// Whether no words are left.
  bool only_blanks_left() const;
  /// The words of the next line. Throws Error saying what was expected if the text ends.
  const std::vector<std::string_view>& next(std::string_view what);

  /// "NAME:LINE" of the line that next() returned last.
  std::string where() const;
  /// A word as a finite number. "*^" stands for the exponent too, as in 1.5*^-6, the way of QM9's files.
  double real(std::string_view word) const;
  /// A word as a count from 1 to `most`.
  std::uint32_t count(std::string_view word, std::uint32_t most) const;

 private:
  std::string_view rest_;
  std::string_view name_;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace paretofl
