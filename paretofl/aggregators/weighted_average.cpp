#include "paretofl/aggregators/weighted_average.h"

#include <algorithm>
#include <cassert>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::size_t kMeanBlock = 2048;  // entries per client that stay in the cache for all averages

/// sum_j w_j theta_j of the members' entries in a block, into those of `mean` [d].
void add_up(std::span<const double> weights, std::span<const int> members, const ClientModels& from, Range block, std::span<float> mean) {
  const std::span<float> sum = mean.subspan(block.begin, block.size());
  std::fill(sum.begin(), sum.end(), 0.0F);
  for (std::size_t j = 0; j < members.size(); ++j) {
    const auto weight = static_cast<float>(weights[j]);
    if (weight == 0) continue;
    const std::span<const float> theta = from.of(members[j]).subspan(block.begin, block.size());
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * theta[k];
  }
}

}  // namespace

ClientMatrix similarity_weights(const ClientMatrix& similarity, double s_min) {
  expect(s_min >= -1 && s_min < 1, "s_min: expected a similarity from -1 to below 1, found {}", s_min);
  ClientMatrix weights(similarity.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      weights(i, j) = (std::max(similarity(i, j), s_min) - s_min) / (1 - s_min);
      sum += weights(i, j);
    }
    for (std::size_t j = 0; j < weights.size(); ++j) weights(i, j) /= sum;
  }
  return weights;
}

void average_models(const ClientMatrix& weights, std::span<const int> members, const ClientModels& from, ClientModels& to) {
  assert(weights.size() == members.size() && &from != &to);
  const std::size_t size = from.layout().size();
  for (std::size_t begin = 0; begin < size; begin += kMeanBlock) {
    const Range block{begin, std::min(begin + kMeanBlock, size)};
    for (std::size_t i = 0; i < members.size(); ++i) {
      add_up(weights.values().subspan(i * members.size(), members.size()), members, from, block, to.of(members[i]));
    }
  }
}

void average_models(std::span<const double> shares, std::span<const int> members, const ClientModels& from, ClientModels& to) {
  assert(shares.size() == members.size() && &from != &to);
  if (members.empty()) return;
  const std::span<float> mean = to.of(members[0]);
  for (std::size_t begin = 0; begin < mean.size(); begin += kMeanBlock) {
    add_up(shares, members, from, {begin, std::min(begin + kMeanBlock, mean.size())}, mean);
  }
  for (const int client : members.subspan(1)) std::copy(mean.begin(), mean.end(), to.of(client).begin());
}

}  // namespace paretofl
