#include "paretofl/scalarized/fair_direction.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {
namespace {

/// Below these, what is left of a difference is rounding.
constexpr double kEqualLosses = 1e-12;
constexpr double kCritical = 1e-6;

double norm_of(std::span<const double> values) { return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0)); }

double mean_norm(std::span<const float> rows, std::size_t count) {
  const std::size_t size = rows.size() / count;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::sqrt(squared_norm(rows.subspan(i * size, size)));
  return sum / static_cast<double>(count);
}

}  // namespace

double fairness_cosine(std::span<const double> losses) {
  const double norm = norm_of(losses);
  if (norm == 0) return 1;
  const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
  return std::clamp(sum / (norm * std::sqrt(static_cast<double>(losses.size()))), -1.0, 1.0);
}

double fairness_angle(std::span<const double> losses) { return std::acos(fairness_cosine(losses)) * 180 / std::numbers::pi; }

std::vector<double> fair_guidance(std::span<const double> losses) {
  const double norm = norm_of(losses);
  if (norm == 0) return {};
  const double along = fairness_cosine(losses) / norm;
  const double each = 1 / std::sqrt(static_cast<double>(losses.size()));  // p, of length one
  std::vector<double> h;
  for (const double loss : losses) h.push_back(along * loss - each);
  const double length = norm_of(h);
  if (length <= kEqualLosses) return {};
  for (double& x : h) x /= length;
  return h;
}

std::vector<double> equalize_norms(std::span<float> rows, std::size_t count) {
  const std::size_t size = rows.size() / count;
  const double mean = mean_norm(rows, count);
  std::vector<double> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<float> row = rows.subspan(i * size, size);
    const double factor = mean / std::sqrt(squared_norm(row));
    for (float& x : row) x = static_cast<float>(factor * x);
    lengths.push_back(1 / factor);
  }
  return lengths;
}

FairDirection fair_direction(std::span<const float> gradients, std::span<const double> guidance, std::span<const float> earlier,
                             std::size_t size) {
  const std::size_t clients = gradients.size() / size;
  std::vector<float> rows(gradients.begin(), gradients.end());
  if (!guidance.empty()) {
    const std::vector<float> guided = weighted_rows(gradients, guidance);
    rows.insert(rows.end(), guided.begin(), guided.end());
  }
  rows.insert(rows.end(), earlier.begin(), earlier.end());
  FairDirection found;
  found.weights = minimize_on_simplex(gramian_of_rows(rows, rows.size() / size)).objective_weights;
  std::vector<float> direction = weighted_rows(rows, found.weights);
  const double norm = std::sqrt(squared_norm(direction));
  if (norm <= kCritical * mean_norm(gradients, clients)) return found;
  const std::vector<float> mean = weighted_rows(gradients, std::vector<double>(clients, 1 / static_cast<double>(clients)));
  const double factor = std::sqrt(squared_norm(mean)) / norm;
  for (float& x : direction) x = static_cast<float>(factor * x);
  found.direction = std::move(direction);
  return found;
}

}  // namespace paretofl
