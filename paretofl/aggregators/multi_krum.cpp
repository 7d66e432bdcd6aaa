#include "paretofl/aggregators/multi_krum.h"

#include <algorithm>
#include <numeric>

#include "paretofl/aggregators/client_matrix.h"
#include "paretofl/aggregators/vector_norms.h"

namespace paretofl {

std::size_t MultiKrum::fewest() const {
  return static_cast<std::size_t>(std::max(2 * options_.bad_clients + 3, options_.bad_clients + options_.chosen));
}

std::vector<float> MultiKrum::combine(Vectors vectors, std::span<const double> shares) const {
  const std::size_t n = vectors.size(), bad = static_cast<std::size_t>(options_.bad_clients);
  ClientMatrix squares(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double away = distance(vectors[i], vectors[j]);
      squares(i, j) = squares(j, i) = away * away;
    }
  }
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> others;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) others.push_back(squares(i, j));
    }
    std::sort(others.begin(), others.end());
    scores.push_back(std::accumulate(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(n - bad - 2), 0.0));
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  order.resize(options_.chosen == 0 ? n - bad : static_cast<std::size_t>(options_.chosen));
  std::sort(order.begin(), order.end());
  double total = 0;
  for (const std::size_t i : order) total += shares[i];
  std::vector<float> mean(vectors.front().size());
  for (const std::size_t i : order) {
    const auto share = static_cast<float>(shares[i] / total);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += share * vectors[i][j];
  }
  return mean;
}

}  // namespace paretofl
