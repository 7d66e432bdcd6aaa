#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace paretofl {

/// A column that is read.
struct TableColumn {
  std::string name;
  bool category = false;        ///< the cells are texts; else numbers
  bool may_be_missing = false;  ///< cells may have no value
  bool label = false;           ///< of a category: where all texts are numbers, they are compared as numbers
  std::string if_missing;       ///< what the message adds about a cell without a value that may not be missing
  std::string if_no_number;     ///< what it adds about a text in a column of numbers
};

/// Which columns of the files of a table are read, and as what.
struct TableSchema {
  std::vector<TableColumn> columns;
  std::optional<std::size_t> client;  ///< the column that names a row's client; without it every file is a client
  bool all_columns = false;           ///< every file must have these columns and `left_out` and no others
  std::set<std::string> left_out;
};

}  // namespace paretofl
