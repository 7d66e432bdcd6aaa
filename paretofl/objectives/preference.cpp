#include "paretofl/objectives/preference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"

namespace paretofl {

Preference::Preference(std::vector<double> weights, std::size_t objectives) : weights_(std::move(weights)) {
  expect(objectives > 0, "preference: expected at least 1 objective, found 0");
  expect(weights_.size() == objectives, "preference: expected {} numbers, one per objective, found {}", objectives, weights_.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    expect(std::isfinite(weights_[k]) && weights_[k] >= 0, "preference: expected a finite number >= 0 for objective {}, found {}", k,
           weights_[k]);
  }
  const double largest = *std::max_element(weights_.begin(), weights_.end());
  expect(largest > 0, "preference: expected at least one positive number, found only zeros");
  // Scaled by the largest first: the sum of huge numbers would overflow.
  for (double& weight : weights_) weight /= largest;
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= sum;
}

Preference Preference::of_shares(std::vector<double> shares, std::size_t objectives) {
  Preference preference(shares, objectives);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  expect(std::abs(sum - 1) <= 1e-9, "preference: expected numbers that sum to 1, found the sum {}", sum);
  preference.weights_ = std::move(shares);
  return preference;
}

Preference Preference::over_held(std::span<const double> factors) const {
  if (factors.empty()) return *this;
  expect(factors.size() == size(), "preference: expected {} factors, one per objective, found {}", size(), factors.size());
  std::vector<double> held = weights_;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (factors[k] == 0) held[k] = 0;
  }
  expect(std::any_of(held.begin(), held.end(), [](double weight) { return weight > 0; }),
         "preference: expected a positive number for an objective that the client has, found only zeros");
  return {std::move(held), size()};
}

double Preference::scalarize(std::span<const double> values) const {
  expect(values.size() == size(), "preference: expected {} objective values, found {}", size(), values.size());
  return std::inner_product(weights_.begin(), weights_.end(), values.begin(), 0.0);
}

Preference uniform_preference(std::size_t objectives) { return {std::vector<double>(objectives, 1.0), objectives}; }

}  // namespace paretofl
