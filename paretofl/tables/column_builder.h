#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

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

  /// Takes the next row's cell. A number is one of C's notation of at most 1e30 in size; a category is the text, "3.0" being the same as
  /// "3". Throws Error, naming the place and the column, for a missing value that may not be missing and for a text that is no number.
  void add(std::string_view cell, const RowReader& place);

  /// The cells, with their values in natural order.
  ColumnCells finish() &&;

 private:
  const TableColumn& column_;
  ColumnCells cells_;
  std::unordered_map<std::string, std::int32_t> known_;
};

}  // namespace paretofl
