#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/tables/row_reader.h"
#include "paretofl/tables/table_data.h"
#include "paretofl/tables/table_files.h"
#include "paretofl/tables/table_schema.h"

namespace paretofl {

/// How the files of a table are written.
struct TableFormat {
  char separator = ',';                  ///< of CSV files
  std::vector<std::string> npy_columns;  ///< the names of the columns of .npy files
};

/// Opens a file. CSV may be compressed by gzip. Throws Error if it cannot be read.
std::unique_ptr<RowReader> open_table(const std::filesystem::path& file, const TableFormat& format);

/// Reads all rows of all files. `make_schema` gets the columns of the first file, and where they stand, for messages. Throws Error, naming
/// the file, the line and the column, for what does not fit the schema, and for a file without a row.
TableData read_table(std::span<const TableFile> files, const TableFormat& format,
                     const std::function<TableSchema(const std::vector<std::string>& columns, const std::string& where)>& make_schema);

}  // namespace paretofl
