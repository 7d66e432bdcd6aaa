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
#include "paretofl/tables/natural_order.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr double kLargest = 1e30;  // whose square is far from overflow, and which float32 holds

std::optional<double> number_of(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size() || status != std::errc() || !(std::abs(value) <= kLargest)) return std::nullopt;
  return value;
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

std::string hint(const std::string& text) { return text.empty() ? "" : "; " + text; }

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
    const std::optional<double> value = missing ? std::numeric_limits<double>::quiet_NaN() : number_of(cell);
    if (!value) {
      throw Error(fmt::format("{}, column '{}': expected a number of at most 1e30 in size, found '{}'{}", place.where(),
                              printable(column_.name), shown(cell), hint(column_.if_no_number)));
    }
    cells_.numbers.push_back(*value);
    return;
  }
  if (missing) {
    cells_.categories.push_back(ColumnCells::kNone);
    return;
  }
  const auto next = static_cast<std::int32_t>(cells_.values.size());
  const auto [found, added] = known_.try_emplace(std::string(without_zero_fraction(cell)), next);
  if (added) cells_.values.push_back(found->first);
  cells_.categories.push_back(found->second);
}

ColumnCells ColumnBuilder::finish() && {
  std::vector<std::int32_t> order(cells_.values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](std::int32_t i) -> std::string& { return cells_.values[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return natural_less(value(a), value(b)); });
  std::vector<std::int32_t> places(order.size());
  std::vector<std::string> sorted;
  for (const std::int32_t i : order) {
    places[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(value(i)));
  }
  cells_.values = std::move(sorted);
  for (std::int32_t& category : cells_.categories) {
    if (category != ColumnCells::kNone) category = places[static_cast<std::size_t>(category)];
  }
  return std::move(cells_);
}

}  // namespace paretofl
