#include "paretofl/tables/target_values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/tables/column_scale.h"

namespace paretofl {
namespace {

std::string listed(const std::vector<std::string>& values) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i) texts.push_back(fmt::format("'{}'", printable(values[i])));
  if (values.size() > kShown) texts.emplace_back("...");
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

bool TargetValues::all_known() const {
  return std::all_of(known.begin(), known.end(), [](std::uint8_t mark) { return mark != 0; });
}

TargetValues number_targets(const ColumnCells& cells, const Head& head, const std::string& name, std::span<const std::uint32_t> train,
                            bool standardize) {
  if (!standardize) return number_targets(cells, head, name, 0, 1);
  const ColumnScale scale = column_scale(cells.numbers, train);
  expect(scale.deviation > 0,
         "workload.standardize_targets: expected a target that varies over the training rows, found {} everywhere in '{}'", scale.mean,
         printable(name));
  return number_targets(cells, head, name, scale.mean, scale.deviation);
}

TargetValues number_targets(const ColumnCells& cells, const Head& head, const std::string& name, double mean, double scale) {
  TargetValues result{.head = head, .known = {}, .targets = {}, .labels = {}, .classes = {}, .mean = mean, .scale = scale};
  for (const double number : cells.numbers) {
    const bool known = !std::isnan(number);
    const auto target = static_cast<float>(known ? (number - result.mean) / result.scale : 0);
    expect(std::isfinite(target), "workload.targets: expected numbers that float32 holds when scaled, found {} in '{}'", number, name);
    result.known.push_back(known ? 1 : 0);
    result.targets.push_back(target);
  }
  return result;
}

TargetValues category_targets(const ColumnCells& cells, const Head& head, const std::string& name) {
  constexpr std::size_t kMostClasses = 256;
  Head fitting = head;
  const std::size_t values = cells.values.size();
  if (head.loss == Loss::kBinary) {
    expect(values == 2, "workload.losses: expected a target of two different values for logistic, found {} in '{}' ({})", values,
           printable(name), listed(cells.values));
    fitting.outputs = 1;
  } else {
    expect(values >= 2 && values <= kMostClasses,
           "workload.losses: expected a target of 2 to {} different values for cross_entropy, found {} in '{}' ({})", kMostClasses, values,
           printable(name), listed(cells.values));
    fitting.outputs = values;
  }
  return category_targets(cells, fitting, name, cells.values);
}

TargetValues category_targets(const ColumnCells& cells, const Head& head, const std::string& name, std::vector<std::string> classes) {
  std::vector<std::uint8_t> labels;  // of the values
  for (const std::string& value : cells.values) {
    const auto found = std::find(classes.begin(), classes.end(), value);
    expect(found != classes.end(), "column '{}': expected one of the {} classes that the model knows ({}), found '{}'", printable(name),
           classes.size(), listed(classes), printable(value));
    labels.push_back(static_cast<std::uint8_t>(found - classes.begin()));
  }
  TargetValues result{.head = head, .known = {}, .targets = {}, .labels = {}, .classes = std::move(classes)};
  for (const std::int32_t category : cells.categories) {
    const bool known = category != ColumnCells::kNone;
    result.known.push_back(known ? 1 : 0);
    result.labels.push_back(known ? labels[static_cast<std::size_t>(category)] : 0);
  }
  return result;
}

}  // namespace paretofl
