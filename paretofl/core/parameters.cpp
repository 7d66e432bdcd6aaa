#include "paretofl/core/parameters.h"

#include "paretofl/core/error.h"

namespace paretofl {

Parameters::Parameters(std::shared_ptr<const Layout> layout) : layout_(std::move(layout)), values_(layout_->size()) {}

Parameters::Parameters(std::shared_ptr<const Layout> layout, std::vector<float> values)
    : layout_(std::move(layout)), values_(std::move(values)) {
  expect(values_.size() == layout_->size(), "parameters: expected {} numbers for this layout, found {}", layout_->size(), values_.size());
}

std::span<float> Parameters::slice(std::string_view name) {
  const Range range = layout_->slice(name).range;
  return values().subspan(range.begin, range.size());
}

std::span<const float> Parameters::slice(std::string_view name) const {
  const Range range = layout_->slice(name).range;
  return values().subspan(range.begin, range.size());
}

void Parameters::step(double learning_rate, std::span<const float> direction) {
  expect(direction.size() == values_.size(), "parameters: expected a direction of {} numbers, found {}", values_.size(), direction.size());
  const auto rate = static_cast<float>(learning_rate);
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] -= rate * direction[i];
}

}  // namespace paretofl
