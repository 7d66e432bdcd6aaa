#include "paretofl/aggregators/spectral_bipartition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/optimization/symmetric_eigen.h"

namespace paretofl {
namespace {

/// Where each client lies on the line: the second generalized eigenvector of (Laplacian, degrees).
std::vector<double> places_on_a_line(const ClientMatrix& similarity) {
  const auto n = static_cast<Eigen::Index>(similarity.size());
  const auto affinity = [&](Eigen::Index i, Eigen::Index j) {
    const double sim = similarity(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    return i == j ? 0 : (1 + std::clamp(sim, -1.0, 1.0)) / 2;
  };
  Eigen::VectorXd degrees = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) degrees(i) += affinity(i, j);
  }
  const Eigen::VectorXd scale = degrees.unaryExpr([](double degree) { return degree > 0 ? 1 / std::sqrt(degree) : 1; });
  // The first eigenvector, D^(1/2) 1 of eigenvalue 0, is known: moved above the others, which lie in [0, 2], so that the
  // second comes out first, also where the clients fall apart into components and 0 is an eigenvalue twice.
  const Eigen::VectorXd first = degrees.cwiseSqrt().normalized();
  Eigen::MatrixXd laplacian = 3 * first * first.transpose();
  for (Eigen::Index i = 0; i < n; ++i) {
    if (degrees(i) > 0) laplacian(i, i) += 1;
    for (Eigen::Index j = 0; j < n; ++j) laplacian(i, j) -= scale(i) * affinity(i, j) * scale(j);
  }
  const SymmetricEigen eigen(laplacian);
  Eigen::VectorXd places = eigen.vectors.col(0).cwiseProduct(scale);
  if (places(0) > 0) places = -places;
  return {places.begin(), places.end()};
}

}  // namespace

std::vector<int> spectral_bipartition(const ClientMatrix& similarity) {
  const std::size_t n = similarity.size();
  expect(n >= 2, "bipartition: expected at least 2 clients, found {}", n);
  const std::vector<double> places = places_on_a_line(similarity);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });

  const double total = std::accumulate(places.begin(), places.end(), 0.0);
  std::size_t best = 1;
  double best_gain = -1;
  double left = 0;
  for (std::size_t cut = 1; cut < n; ++cut) {
    left += places[order[cut - 1]];
    const auto below = static_cast<double>(cut);
    const auto above = static_cast<double>(n - cut);
    const double gap = left / below - (total - left) / above;
    const double gain = gap * gap * below * above;  // n times what the cut takes off the sum of squares
    const bool same = std::abs(gain - best_gain) <= 1e-9 * std::abs(best_gain);
    const bool more_even = std::min(cut, n - cut) > std::min(best, n - best);
    if (same ? more_even : gain > best_gain) {
      best = cut;
      best_gain = gain;
    }
  }
  std::vector<int> parts(n, 1);
  for (std::size_t i = 0; i < best; ++i) parts[order[i]] = 0;
  if (parts[0] == 1) {
    for (int& part : parts) part = 1 - part;
  }
  return parts;
}

}  // namespace paretofl
