#include "paretofl/tables/number_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/tables/column_builder.h"
#include "paretofl/tables/csv_reader.h"
#include "paretofl/tables/csv_text.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

void write_number_table(std::span<const std::string> columns, const std::vector<std::vector<double>>& values,
                        const std::filesystem::path& file) {
  std::string text = csv_line(columns);
  std::vector<std::string> cells(columns.size());
  for (std::size_t row = 0; row < values.front().size(); ++row) {
    for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = number_cell(values[k][row]);
    text += csv_line(cells);
  }
  write_whole_file(file, text);
}

std::vector<std::vector<double>> parse_number_table(std::string_view text, const std::string& name, std::span<const std::string> columns) {
  CsvReader reader(text, name);
  expect(std::equal(columns.begin(), columns.end(), reader.columns().begin(), reader.columns().end()),
         "{}: expected the columns {}, found {}", reader.where(), printable(fmt::format("{}", fmt::join(columns, ", "))),
         printable(fmt::format("{}", fmt::join(reader.columns(), ", "))));
  std::vector<TableColumn> descriptions;
  for (const std::string& column : columns) descriptions.push_back({.name = column, .if_missing = "", .if_no_number = ""});
  std::vector<ColumnBuilder> builders(descriptions.begin(), descriptions.end());
  std::vector<std::string_view> cells;
  std::size_t rows = 0;
  for (; reader.next(cells); ++rows) {
    for (std::size_t k = 0; k < builders.size(); ++k) builders[k].add(cells[k], reader);
  }
  expect(rows > 0, "{}: expected at least one row, found none", name);
  std::vector<std::vector<double>> values;
  for (ColumnBuilder& builder : builders) values.push_back(std::move(builder).finish().numbers);
  return values;
}

std::vector<std::vector<double>> read_number_table(const std::filesystem::path& file, std::span<const std::string> columns) {
  return parse_number_table(read_text(file), file.string(), columns);
}

}  // namespace paretofl
