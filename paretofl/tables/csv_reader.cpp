#include "paretofl/tables/csv_reader.h"

#include <algorithm>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string name, char separator) : text_(text), name_(std::move(name)), separator_(separator) {
  expect(!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF"), "{}: expected UTF-8 text, found UTF-16", name_);
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  expect(read_record(), "{}: expected a header with the names of the columns, found an empty file", name_);
  for (const auto& [begin, size] : fields_) columns_.emplace_back(content_, begin, size);
  check_column_names(columns_, where());
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  if (!read_record()) return false;
  expect(fields_.size() == columns_.size(), "{}:{}: expected {} fields as in the header, found {}", name_, record_line_, columns_.size(),
         fields_.size());
  cells.clear();
  for (const auto& [begin, size] : fields_) cells.push_back(std::string_view(content_).substr(begin, size));
  return true;
}

std::string CsvReader::where() const { return fmt::format("{}:{}", name_, record_line_); }

bool CsvReader::at_line_end() const { return text_.substr(at_, 1) == "\n" || text_.substr(at_, 2) == "\r\n"; }

bool CsvReader::read_record() {
  const auto skip_line_end = [this] {
    at_ += text_[at_] == '\r' ? 2 : 1;
    ++line_;
  };
  while (at_ < text_.size() && at_line_end()) skip_line_end();
  if (at_ == text_.size()) return false;
  record_line_ = line_;
  content_.clear();
  fields_.clear();
  do {
    if (at_ < text_.size() && text_[at_] == '"') {
      read_quoted_field();
    } else {
      read_plain_field();
    }
  } while (another_field());
  if (at_ < text_.size()) skip_line_end();
  return true;
}

void CsvReader::read_quoted_field() {
  const std::size_t begin = content_.size();
  const std::size_t first_line = line_;
  ++at_;
  for (;;) {
    const std::size_t quote = std::min(text_.find('"', at_), text_.size());
    const std::string_view part = text_.substr(at_, quote - at_);
    content_ += part;
    line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    expect(quote < text_.size(), "{}:{}: expected a closing quote for field {}, found the end of the file", name_, first_line,
           fields_.size() + 1);
    at_ = quote + 1;
    if (text_.substr(at_, 1) != "\"") break;
    content_ += '"';
    ++at_;
  }
  fields_.emplace_back(begin, content_.size() - begin);
}

void CsvReader::read_plain_field() {
  const std::size_t begin = content_.size();
  const std::size_t start = at_;
  while (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) {
    expect(text_[at_] != '"', "{}:{}: expected quotes around the whole of field {} and doubled ones within, found a single one", name_,
           line_, fields_.size() + 1);
    expect(text_[at_] != '\r', "{}:{}: expected lines that end with LF or CRLF, found a CR alone", name_, line_);
    ++at_;
  }
  content_ += trimmed(text_.substr(start, at_ - start));
  fields_.emplace_back(begin, content_.size() - begin);
}

bool CsvReader::another_field() {
  if (at_ == text_.size() || at_line_end()) return false;
  expect(text_[at_] == separator_, "{}:{}: expected the end of the line or '{}' after the quotes of field {}, found '{}'", name_, line_,
         printable({&separator_, 1}), fields_.size(), printable(text_.substr(at_, 1)));
  ++at_;
  return true;
}

void check_column_names(const std::vector<std::string>& columns, const std::string& where) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& column = columns[i];
    expect(!column.empty(),
           "{}: expected a name for every column, found none for column {} (pandas writes its index so, unless to_csv has index=False)",
           where, i + 1);
    expect(is_utf8(column), "{}: expected names of columns in UTF-8, found '{}'", where, printable(column));
    expect(names.insert(column).second, "{}: expected different names of columns, found '{}' twice", where, printable(column));
  }
}

}  // namespace paretofl
