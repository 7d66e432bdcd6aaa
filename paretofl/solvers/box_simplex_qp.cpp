#include "paretofl/solvers/box_simplex_qp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {
namespace {

constexpr int kSteps = 20000;
constexpr int kStepsBetweenTests = 10;  // a test costs as much as a step
constexpr double kRelativeGap = 1e-12;

/// 2 Q w.
std::vector<double> gradient_at(const Gramian& q, std::span<const double> w) {
  std::vector<double> gradient(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < w.size(); ++j) gradient[i] += 2 * q(i, j) * w[j];
  }
  return gradient;
}

/// By how much a linear function falls at most from w to other allowed weights: an upper bound of what a convex objective with this
/// gradient is above its minimum (Frank and Wolfe 1956).
double gap(std::span<const double> gradient, std::span<const double> w, std::span<const double> low, std::span<const double> high) {
  std::vector<std::size_t> order(w.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gradient[a] < gradient[b]; });
  double left = 1 - std::accumulate(low.begin(), low.end(), 0.0);
  double fall = 0;
  for (const std::size_t i : order) {
    const double taken = std::clamp(left, 0.0, high[i] - low[i]);
    fall += gradient[i] * (w[i] - low[i] - taken);
    left -= taken;
  }
  return fall;
}

/// The largest sum of absolute values in a row, which is at least the largest eigenvalue.
double eigenvalue_bound(const Gramian& q) {
  double bound = 0;
  for (std::size_t i = 0; i < q.objectives(); ++i) {
    double row = 0;
    for (std::size_t j = 0; j < q.objectives(); ++j) row += std::abs(q(i, j));
    bound = std::max(bound, row);
  }
  return bound;
}

std::vector<double> descend(const Gramian& q, std::span<const double> center, std::span<const double> low, std::span<const double> high) {
  double largest = 0;
  for (std::size_t i = 0; i < q.objectives(); ++i) largest = std::max(largest, q(i, i));
  const double rate = 1 / (2 * eigenvalue_bound(q));
  std::vector<double> w(center.begin(), center.end());
  std::vector<double> at = w;  // the point ahead from which the next step starts
  double momentum = 1;
  for (int step = 0; step < kSteps; ++step) {
    if (step % kStepsBetweenTests == 0 && gap(gradient_at(q, w), w, low, high) <= kRelativeGap * largest) break;
    const std::vector<double> gradient = gradient_at(q, at);
    std::vector<double> next = at;
    for (std::size_t i = 0; i < next.size(); ++i) next[i] -= rate * gradient[i];
    project_onto_box_simplex(next, low, high);
    double uphill = 0;
    for (std::size_t i = 0; i < next.size(); ++i) uphill += (at[i] - next[i]) * (next[i] - w[i]);
    const double grown = uphill > 0 ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const double ahead = uphill > 0 ? 0 : (momentum - 1) / grown;
    for (std::size_t i = 0; i < next.size(); ++i) at[i] = next[i] + ahead * (next[i] - w[i]);
    momentum = grown;
    w = std::move(next);
  }
  return w;
}

}  // namespace

void project_onto_box_simplex(std::span<double> point, std::span<const double> low, std::span<const double> high) {
  constexpr int kBisections = 120;
  double below = point[0] - high[0], above = point[0] - low[0];
  for (std::size_t i = 0; i < point.size(); ++i) {
    below = std::min(below, point[i] - high[i]);
    above = std::max(above, point[i] - low[i]);
  }
  for (int k = 0; k < kBisections; ++k) {
    const double shift = below + (above - below) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) sum += std::clamp(point[i] - shift, low[i], high[i]);
    (sum > 1 ? below : above) = shift;
  }
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = std::clamp(point[i] - above, low[i], high[i]);
}

std::vector<double> minimize_near(const Gramian& q, std::span<const double> center, double radius) {
  q.check();
  std::vector<double> low, high;
  for (const double c : center) {
    low.push_back(std::max(c - radius, 0.0));
    high.push_back(std::min(c + radius, 1.0));
  }
  if (radius == 0 || q.trace() == 0) return {center.begin(), center.end()};
  const bool bound = std::any_of(low.begin(), low.end(), [](double x) { return x > 0; }) ||
                     std::any_of(high.begin(), high.end(), [](double x) { return x < 1; });
  return bound ? descend(q, center, low, high) : minimize_on_simplex(q).objective_weights;
}

}  // namespace paretofl
