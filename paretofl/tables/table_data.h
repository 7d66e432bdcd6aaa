#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace paretofl {

/// The cells of one column of a table; which of the two lists is filled is decided by the schema.
struct ColumnCells {
  static constexpr std::int32_t kNone = -1;

  std::vector<double> numbers;           ///< [rows]; NaN where there is none
  std::vector<std::int32_t> categories;  ///< [rows] position in `values`; kNone where there is none
  std::vector<std::string> values;       ///< in natural order
};

/// The rows of all files, and which client each belongs to.
struct TableData {
  std::vector<ColumnCells> columns;  ///< as in the schema
  std::vector<std::string> clients;  ///< in natural order
  /// [clients]: numbers of the client's rows. Their order depends on what the rows hold alone, so that neither the order of the rows in a
  /// file nor that of the files matters.
  std::vector<std::vector<std::uint32_t>> client_rows;

  std::size_t num_rows() const {
    std::size_t count = 0;
    for (const auto& rows : client_rows) count += rows.size();
    return count;
  }
};

}  // namespace paretofl
