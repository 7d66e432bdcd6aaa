#include "paretofl/tables/row_split.h"

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/random.h"
#include "paretofl/core/whole_share.h"

namespace paretofl {

std::vector<std::uint32_t> RowSplit::all_train() const {
  std::vector<std::uint32_t> rows;
  for (const auto& client : train) rows.insert(rows.end(), client.begin(), client.end());
  return rows;
}

RowSplit draw_split(const TableData& table, double validation_fraction, double test_fraction, std::uint64_t seed) {
  RowSplit split;
  for (std::size_t client = 0; client < table.clients.size(); ++client) {
    std::vector<std::uint32_t> rows = table.client_rows[client];
    Random({seed, 0, static_cast<std::uint32_t>(client)}, "held-out rows").shuffle(std::span(rows));
    const auto share = [&](double fraction) { return static_cast<std::ptrdiff_t>(whole_share(fraction, rows.size())); };
    const auto test = rows.begin() + share(test_fraction);
    const auto validation = test + std::min(share(validation_fraction), rows.end() - test);
    split.test.insert(split.test.end(), rows.begin(), test);
    split.test_of_client.emplace_back(rows.begin(), test);
    split.validation.insert(split.validation.end(), test, validation);
    split.train.emplace_back(validation, rows.end());
  }
  return split;
}

RowSplit named_split(const TableData& table, std::size_t column, const std::string& name) {
  const ColumnCells& cells = table.columns[column];
  for (const std::string& value : cells.values) {
    expect(value == "train" || value == "validation" || value == "test",
           "workload.split_column: expected train, validation or test in column '{}', found '{}'", printable(name), printable(value));
  }
  RowSplit split;
  for (const auto& rows : table.client_rows) {
    auto& train = split.train.emplace_back();
    auto& test = split.test_of_client.emplace_back();
    for (const std::uint32_t row : rows) {
      const std::string& part = cells.values[static_cast<std::size_t>(cells.categories[row])];
      (part == "train" ? train : part == "test" ? test : split.validation).push_back(row);
    }
    split.test.insert(split.test.end(), test.begin(), test.end());
  }
  return split;
}

void check_split(const RowSplit& split, const TableData& table) {
  for (std::size_t client = 0; client < split.train.size(); ++client) {
    expect(!split.train[client].empty(), "workload: expected a training row of every client, found none of '{}', which has {} rows in all",
           printable(table.clients[client]), table.client_rows[client].size());
  }
  expect(!split.test.empty(),
         "workload: expected a row held out for testing, found none; of each client's rows, workload.test_fraction is held out, rounded "
         "down, or those that workload.split_column names");
}

}  // namespace paretofl
