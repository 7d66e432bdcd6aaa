#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/tables/column_builder.h"
#include "paretofl/tables/csv_reader.h"

namespace {

/// Reads a table to its end: every row has as many cells as there are columns, and every column can be read as numbers or as categories.
void read_all(std::string_view text, char separator, bool categories) {
  paretofl::CsvReader reader(text, "input", separator);
  const paretofl::TableColumn column{.name = "input", .category = categories, .may_be_missing = true, .if_missing = "", .if_no_number = ""};
  std::vector<paretofl::ColumnBuilder> builders(reader.columns().size(), paretofl::ColumnBuilder(column));
  std::vector<std::string_view> cells;
  std::size_t rows = 0;
  while (reader.next(cells)) {
    if (cells.size() != reader.columns().size()) std::abort();
    for (std::size_t i = 0; i < cells.size(); ++i) builders[i].add(cells[i], reader);
    ++rows;
  }
  for (auto& builder : builders) {
    const paretofl::ColumnCells read = std::move(builder).finish();
    if ((categories ? read.categories.size() : read.numbers.size()) != rows) std::abort();
    for (const std::int32_t value : read.categories) {
      if (value != paretofl::ColumnCells::kNone && static_cast<std::size_t>(value) >= read.values.size()) std::abort();
    }
  }
}

}  // namespace

// Any text is either a table or an Error of one line, with every separator, of numbers and of categories.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char separator : {',', ';', '\t'}) {
    for (const bool categories : {false, true}) {
      try {
        read_all(text, separator, categories);
      } catch (const paretofl::Error& error) {
        if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
      }
    }
  }
  return 0;
}
