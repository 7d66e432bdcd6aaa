#include "paretofl/tables/column_builder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/utf8.h"
#include "paretofl/tables/natural_order.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr double kLargest = 1e30;  // whose square is far from overflow, and which float32 holds

std::string hint(const std::string& text) { return text.empty() ? "" : "; " + text; }

/// The number that a cell is, which may be infinite or NaN.
std::optional<double> number_of(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size() || status == std::errc::invalid_argument) return std::nullopt;
  if (status == std::errc()) return value;
  const std::optional<Decimal> exact = decimal_of(cell);
  return exact && exact->place < 0 ? 0 : std::numeric_limits<double>::infinity();
}

/// The number of a cell that has one. Throws Error unless it has.
double checked_number(std::string_view cell, const TableColumn& column, const RowReader& place) {
  const std::optional<double> value = number_of(cell);
  const auto refuse = [&](std::string_view expected, const std::string& advice) {
    throw Error(
        fmt::format("{}, column '{}': expected {}, found '{}'{}", place.where(), printable(column.name), expected, shown(cell), advice));
  };
  if (!value) refuse("a number", hint(column.if_no_number));
  if (std::isnan(*value)) refuse("a number or an empty cell", "");
  if (std::abs(*value) > kLargest) refuse("a number of at most 1e30 in size", "");
  return *value;
}

/// "3" for "3.0": what programs make of integers beside missing values.
std::string_view without_zero_fraction(std::string_view cell) {
  const std::size_t point = cell.find('.');
  const auto only = [](std::string_view text, std::string_view allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (point == std::string_view::npos || !only(cell.substr(point + 1), "0")) return cell;
  std::string_view digits = cell.substr(0, point);
  if (digits.starts_with('-')) digits.remove_prefix(1);
  return only(digits, "0123456789") ? cell.substr(0, point) : cell;
}

}  // namespace

bool is_missing(std::string_view cell) {
  static constexpr std::array<std::string_view, 6> kWords{"", "NA", "N/A", "NaN", "nan", "null"};
  return std::find(kWords.begin(), kWords.end(), cell) != kWords.end();
}

void ColumnBuilder::add(std::string_view cell, const RowReader& place) {
  const bool missing = is_missing(cell);
  if (missing && !column_.may_be_missing) {
    throw Error(fmt::format("{}, column '{}': expected a value, found {}{}", place.where(), printable(column_.name),
                            cell.empty() ? "an empty cell" : fmt::format("'{}'", cell), hint(column_.if_missing)));
  }
  if (!column_.category) {
    cells_.numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : checked_number(cell, column_, place));
    return;
  }
  if (missing) {
    cells_.categories.push_back(ColumnCells::kNone);
    return;
  }
  const auto next = static_cast<std::int32_t>(cells_.values.size());
  const auto [found, added] = known_.try_emplace(std::string(without_zero_fraction(cell)), next);
  if (added) {
    expect(is_utf8(cell), "{}, column '{}': expected text in UTF-8, found '{}'", place.where(), printable(column_.name), printable(cell));
    cells_.values.push_back(found->first);
  }
  cells_.categories.push_back(found->second);
}

std::vector<Decimal> ColumnBuilder::label_numbers() const {
  std::vector<Decimal> numbers;
  if (!column_.label) return numbers;
  for (const std::string& value : cells_.values) {
    std::optional<Decimal> number = decimal_of(value);
    if (!number) return {};
    numbers.push_back(std::move(*number));
  }
  return numbers;
}

ColumnCells ColumnBuilder::finish() && {
  const std::vector<Decimal> numbers = label_numbers();
  std::vector<std::int32_t> order(cells_.values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](std::int32_t i) -> std::string& { return cells_.values[static_cast<std::size_t>(i)]; };
  const auto number = [&](std::int32_t i) -> const Decimal& { return numbers[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    if (!numbers.empty()) {
      if (number(a) != number(b)) return number(a) < number(b);
      if (value(a).size() != value(b).size()) return value(a).size() < value(b).size();
    }
    return natural_less(value(a), value(b));
  });
  std::vector<std::int32_t> places(order.size());
  std::vector<std::string> sorted;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const bool same = at > 0 && !numbers.empty() && number(order[at]) == number(order[at - 1]);
    if (!same) sorted.push_back(std::move(value(order[at])));
    places[static_cast<std::size_t>(order[at])] = static_cast<std::int32_t>(sorted.size()) - 1;
  }
  cells_.values = std::move(sorted);
  for (std::int32_t& category : cells_.categories) {
    if (category != ColumnCells::kNone) category = places[static_cast<std::size_t>(category)];
  }
  return std::move(cells_);
}

}  // namespace paretofl
