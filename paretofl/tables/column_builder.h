#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "paretofl/tables/decimal.h"
#include "paretofl/tables/row_reader.h"
#include "paretofl/tables/table_data.h"
#include "paretofl/tables/table_schema.h"

namespace paretofl {

/// Whether a cell holds no value: it is empty, or NA, N/A, NaN, nan or null.
bool is_missing(std::string_view cell);

/// Reads the cells of one column, row by row.
class ColumnBuilder {
 public:
  /// The description must outlive the builder.
  explicit ColumnBuilder(const TableColumn& column) : column_(column) {}

  /// Takes the next row's cell. A number is one of C's notation of at most 1e30 in size, or 0 where it is too small for a double; a
  /// category is the text, "3.0" being the same as "3". Throws Error, naming the place and the column, for a missing value that may not be
  /// missing, for a text that is no number and for a category that is not UTF-8.
  void add(std::string_view cell, const RowReader& place);

  /// The cells, with their values in natural order. Those of labels that are all numbers are in the order of the numbers, equal ones being
  /// one value, which is called by the shortest of its texts and among these by the first in natural order.
  ColumnCells finish() &&;

 private:
  /// Where all values are numbers, these, one for each value; else empty.
  std::vector<Decimal> label_numbers() const;

  const TableColumn& column_;
  ColumnCells cells_;
  std::unordered_map<std::string, std::int32_t> known_;
};

}  // namespace paretofl
