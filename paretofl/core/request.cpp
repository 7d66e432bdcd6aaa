#include "paretofl/core/request.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

Request Request::with(const Parameters& theta) && {
  parameters = theta.snapshot();
  return std::move(*this);
}

Request Request::with(std::span<const float> theta) && {
  parameters = std::make_shared<const std::vector<float>>(theta.begin(), theta.end());
  return std::move(*this);
}

Request Request::with_objective_weights(std::vector<double> lambda) && {
  objective_weights = std::move(lambda);
  return std::move(*this);
}

std::span<const float> Request::theta(std::size_t count) const {
  expect(parameters != nullptr, "request '{}': expected parameters, found none", verb);
  expect(parameters->size() == count, "request '{}': expected {} parameters, found {}", verb, count, parameters->size());
  bool finite = true;
  for (const float x : *parameters) finite &= std::isfinite(x);
  expect(finite, "request '{}': expected finite parameters, found others", verb);
  return *parameters;
}

std::span<const double> Request::lambda(std::size_t count) const {
  expect(objective_weights.size() == count, "request '{}': expected {} objective weights, found {}", verb, count, objective_weights.size());
  for (const double weight : objective_weights) {
    expect(std::isfinite(weight), "request '{}': expected finite objective weights, found {}", verb, weight);
  }
  return objective_weights;
}

bool Request::operator==(const Request& other) const {
  const bool same_parameters = parameters == other.parameters || (parameters && other.parameters && *parameters == *other.parameters);
  return same_parameters && verb == other.verb && seed == other.seed && round == other.round &&
         objective_weights == other.objective_weights && extra == other.extra;
}

}  // namespace paretofl
