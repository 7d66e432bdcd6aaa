#include "paretofl/tables/npy_reader.h"

#include "paretofl/core/error.h"
#include "paretofl/tables/csv_reader.h"

namespace paretofl {

NpyReader::NpyReader(NpyFile file, std::vector<std::string> columns, std::string name)
    : file_(std::move(file)), columns_(std::move(columns)), name_(std::move(name)), texts_(columns_.size()) {
  expect(file_.columns == columns_.size(), "{}: expected {} columns as workload.columns names, found {}", name_, columns_.size(),
         file_.columns);
  check_column_names(columns_, "workload.columns");
}

bool NpyReader::next(std::vector<std::string_view>& cells) {
  if (row_ == file_.rows) return false;
  cells.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    texts_[i] = file_.text(row_, i);
    cells.emplace_back(texts_[i]);
  }
  ++row_;
  return true;
}

std::string NpyReader::where() const { return fmt::format("{}, row {}", name_, row_); }

}  // namespace paretofl
