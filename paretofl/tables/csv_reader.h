#pragma once

#include <cstddef>
#include <utility>

#include "paretofl/tables/row_reader.h"

namespace paretofl {

/// Reads CSV text as RFC 4180 describes it: a header, then rows of as many fields; a field in quotes may hold separators, line ends and
/// doubled quotes. Lines end with LF or CRLF. Beyond the RFC: a UTF-8 byte order mark is skipped, so are empty lines, and blanks around a
/// field without quotes do not count. The text must outlive the reader.
class CsvReader : public RowReader {
 public:
  /// Reads the header. Throws Error, naming `name` and the line, if there is none, if a column has no name or the name of another one,
  /// and for text that is not UTF-8 there.
  CsvReader(std::string_view text, std::string name, char separator = ',');

  const std::vector<std::string>& columns() const override { return columns_; }
  bool next(std::vector<std::string_view>& cells) override;
  std::string where() const override;

 private:
  /// Reads one record into fields_; false at the end of the text.
  bool read_record();
  void read_quoted_field();
  void read_plain_field();
  /// The rest after a field: true where another field follows in the record.
  bool another_field();
  bool at_line_end() const;

  std::string_view text_;
  std::string name_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;                                     // of at_
  std::size_t record_line_ = 1;                              // where the record begins
  std::string content_;                                      // of the fields of the record, one after another
  std::vector<std::pair<std::size_t, std::size_t>> fields_;  // begin and size in content_
  std::vector<std::string> columns_;
};

/// Throws Error, naming the place, unless the columns have names, all of them different, in UTF-8.
void check_column_names(const std::vector<std::string>& columns, const std::string& where);

}  // namespace paretofl
