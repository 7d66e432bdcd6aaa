#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Goes through the rows of a table, whatever file it is in.
class RowReader {
 public:
  virtual ~RowReader() = default;

  virtual const std::vector<std::string>& columns() const = 0;  ///< names, none empty and none twice
  /// Replaces `cells` by those of the next row, as many as there are columns and valid until the next call; false after the last row.
  /// Throws Error, naming the place, for a row that cannot be read.
  virtual bool next(std::vector<std::string_view>& cells) = 0;
  /// The place of the row that next() returned last, for messages, such as "clients/a.csv:12".
  virtual std::string where() const = 0;
};

}  // namespace paretofl
