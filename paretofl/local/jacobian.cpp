#include "paretofl/local/jacobian.h"

#include <algorithm>

namespace paretofl {

Range gramian_part(const Layout& layout, bool with_heads) {
  return with_heads || layout.shared().size() == 0 ? layout.all() : layout.shared();
}

std::vector<float> columns(std::span<const float> matrix, std::size_t rows, Range part) {
  const std::size_t width = matrix.size() / rows;
  std::vector<float> result;
  result.reserve(rows * part.size());
  for (std::size_t k = 0; k < rows; ++k) {
    const auto row = matrix.subspan(k * width + part.begin, part.size());
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

std::vector<float> weighted_rows(std::span<const float> matrix, std::span<const double> objective_weights) {
  const std::size_t width = matrix.size() / objective_weights.size();
  std::vector<float> sum(width);
  for (std::size_t k = 0; k < objective_weights.size(); ++k) {
    const auto weight = static_cast<float>(objective_weights[k]);
    const auto row = matrix.subspan(k * width, width);
    for (std::size_t i = 0; i < width; ++i) sum[i] += weight * row[i];
  }
  return sum;
}

void descend_in_heads(const Layout& layout, std::span<const double> objective_weights, std::span<float> gradient) {
  for (std::size_t k = 0; k < objective_weights.size(); ++k) {
    if (objective_weights[k] >= 0) continue;
    const Range head = layout.head(static_cast<int>(k));
    for (float& value : gradient.subspan(head.begin, head.size())) value = -value;
  }
}

SampledJacobian sample_jacobian(const GradientOracle& oracle, std::span<const float> theta, bool shared_minibatch, const Random& stream,
                                std::int64_t step) {
  const std::size_t objectives = oracle.num_objectives();
  SampledJacobian result{std::vector<float>(objectives * theta.size()), std::vector<double>(objectives)};
  if (shared_minibatch) {
    oracle.jacobian(theta, {stream, step}, result.losses, result.rows);
    return result;
  }
  for (std::size_t k = 0; k < objectives; ++k) {
    const auto row = std::span(result.rows).subspan(k * theta.size(), theta.size());
    result.losses[k] = oracle.objective_gradient(theta, k, {stream.substream("objective", k), step}, row);
  }
  return result;
}

}  // namespace paretofl
