#pragma once

#include <cstddef>

#include "paretofl/tables/npy_file.h"
#include "paretofl/tables/row_reader.h"

namespace paretofl {

/// Reads an .npy file as rows of a table, each number as NpyFile::text() writes it.
class NpyReader : public RowReader {
 public:
  /// Throws Error unless the file has that many columns, which are named.
  NpyReader(NpyFile file, std::vector<std::string> columns, std::string name);

  const std::vector<std::string>& columns() const override { return columns_; }
  bool next(std::vector<std::string_view>& cells) override;
  std::string where() const override;

 private:
  NpyFile file_;
  std::vector<std::string> columns_;
  std::string name_;
  std::size_t row_ = 0;  // of the next one
  std::vector<std::string> texts_;
};

}  // namespace paretofl
