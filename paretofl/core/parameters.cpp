#include "paretofl/core/parameters.h"

#include "paretofl/core/error.h"

namespace paretofl {

Parameters::Parameters(std::shared_ptr<const Layout> layout)
    : layout_(std::move(layout)), values_(std::make_shared<std::vector<float>>(layout_->size())) {}

Parameters::Parameters(std::shared_ptr<const Layout> layout, std::vector<float> values)
    : layout_(std::move(layout)), values_(std::make_shared<std::vector<float>>(std::move(values))) {
  expect(size() == layout_->size(), "parameters: expected {} numbers for this layout, found {}", layout_->size(), size());
}

std::span<float> Parameters::values() {
  if (values_.use_count() > 1) values_ = std::make_shared<std::vector<float>>(*values_);
  return *values_;
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
  expect(direction.size() == size(), "parameters: expected a direction of {} numbers, found {}", size(), direction.size());
  const auto rate = static_cast<float>(learning_rate);
  const std::span<float> theta = values();
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= rate * direction[i];
}

}  // namespace paretofl
