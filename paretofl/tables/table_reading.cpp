#include "paretofl/tables/table_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/tables/column_builder.h"
#include "paretofl/tables/csv_reader.h"
#include "paretofl/tables/missing_column.h"
#include "paretofl/tables/npy_reader.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// A CSV file with its text.
class CsvFile : public RowReader {
 public:
  CsvFile(const std::filesystem::path& file, char separator) : text_(read_text(file)), reader_(text_, file.string(), separator) {}

  const std::vector<std::string>& columns() const override { return reader_.columns(); }
  bool next(std::vector<std::string_view>& cells) override { return reader_.next(cells); }
  std::string where() const override { return reader_.where(); }

 private:
  std::string text_;
  CsvReader reader_;
};

/// Where each column of the schema stands in a file.
std::vector<std::size_t> places_of(const TableSchema& schema, const RowReader& reader, const std::string& first_file) {
  const std::vector<std::string>& columns = reader.columns();
  std::vector<std::size_t> places;
  for (const TableColumn& wanted : schema.columns) {
    const auto found = std::find(columns.begin(), columns.end(), wanted.name);
    if (found == columns.end()) {
      throw Error(fmt::format("{}: expected a column '{}', found none{}", reader.where(), printable(wanted.name),
                              missing_column_hint(wanted.name, columns)));
    }
    places.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  if (!schema.all_columns) return places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool read = std::find(places.begin(), places.end(), i) != places.end() || schema.left_out.contains(columns[i]);
    expect(read, "{}: expected the columns of {}, found '{}' too; workload.ignored leaves columns out", reader.where(), first_file,
           printable(columns[i]));
  }
  return places;
}

/// Which of two rows comes first: an order by what they hold, column by column.
class RowOrder {
 public:
  explicit RowOrder(const std::vector<ColumnCells>& columns) : columns_(columns) {}

  bool operator()(std::uint32_t a, std::uint32_t b) const {
    for (const ColumnCells& column : columns_) {
      if (!column.categories.empty()) {
        if (column.categories[a] != column.categories[b]) return column.categories[a] < column.categories[b];
        continue;
      }
      const double x = column.numbers[a];
      const double y = column.numbers[b];
      if (x < y || y < x) return x < y;
      if (std::isnan(x) != std::isnan(y)) return std::isnan(x);
    }
    return false;
  }

 private:
  const std::vector<ColumnCells>& columns_;
};

}  // namespace

std::unique_ptr<RowReader> open_table(const std::filesystem::path& file, const TableFormat& format) {
  if (!is_npy(file)) return std::make_unique<CsvFile>(file, format.separator);
  expect(!format.npy_columns.empty(), "workload.columns: expected the names of the columns of {}, found none", file.string());
  constexpr std::size_t kMostBytes = std::size_t{1} << 32;
  return std::make_unique<NpyReader>(parse_npy(read_bytes(file, kMostBytes), file.string()), format.npy_columns, file.string());
}

TableData read_table(std::span<const TableFile> files, const TableFormat& format,
                     const std::function<TableSchema(const std::vector<std::string>&, const std::string&)>& make_schema) {
  expect(!files.empty(), "workload.files: expected at least one file, found none");
  TableSchema schema;
  std::vector<ColumnBuilder> builders;
  std::vector<std::uint32_t> client_of_row;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const auto reader = open_table(files[f].path, format);
    if (f == 0) {
      schema = make_schema(reader->columns(), reader->where());
      for (const TableColumn& column : schema.columns) builders.emplace_back(column);
    }
    const std::vector<std::size_t> places = places_of(schema, *reader, files[0].path.string());
    std::vector<std::string_view> cells;
    const std::size_t before = client_of_row.size();
    while (reader->next(cells)) {
      for (std::size_t c = 0; c < places.size(); ++c) builders[c].add(cells[places[c]], *reader);
      client_of_row.push_back(static_cast<std::uint32_t>(f));
    }
    expect(client_of_row.size() > before, "{}: expected at least one row, found none", files[f].path.string());
    expect(client_of_row.size() < std::numeric_limits<std::uint32_t>::max(), "{}: expected fewer than 2^32 rows in all files, found more",
           files[f].path.string());
  }

  TableData table;
  for (ColumnBuilder& builder : builders) table.columns.push_back(std::move(builder).finish());
  if (schema.client) {
    const ColumnCells& client = table.columns[*schema.client];
    table.clients = client.values;
    client_of_row.assign(client.categories.begin(), client.categories.end());
  } else {
    for (const TableFile& file : files) table.clients.push_back(file.client);
  }
  table.client_rows.resize(table.clients.size());
  for (std::size_t row = 0; row < client_of_row.size(); ++row) {
    table.client_rows[client_of_row[row]].push_back(static_cast<std::uint32_t>(row));
  }
  for (auto& rows : table.client_rows) std::sort(rows.begin(), rows.end(), RowOrder(table.columns));
  return table;
}

}  // namespace paretofl
