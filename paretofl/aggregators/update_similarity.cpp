#include "paretofl/aggregators/update_similarity.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "paretofl/aggregators/top_entries.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kEntryBlock = 2048;  // entries per client that stay in the cache for all pairs

double inner_product(const float* a, const float* b, std::size_t count) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
  }
  double sum = 0;
  for (; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (const double lane : lanes) sum += lane;
  return sum;
}

}  // namespace

ClientMatrix cosine_similarity(std::span<const float> updates, std::size_t clients, Range range) {
  assert(clients > 0 && updates.size() % clients == 0 && range.end <= updates.size() / clients);
  const std::size_t stride = updates.size() / clients;
  ClientMatrix products(clients);
  for (std::size_t begin = range.begin; begin < range.end; begin += kEntryBlock) {
    const std::size_t count = std::min(kEntryBlock, range.end - begin);
    for (std::size_t i = 0; i < clients; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        products(i, j) += inner_product(&updates[i * stride + begin], &updates[j * stride + begin], count);
      }
    }
  }
  ClientMatrix cosines(clients);
  for (std::size_t i = 0; i < clients; ++i) {
    expect(std::isfinite(products(i, i)), "similarity: expected finite updates, found a number that is not finite in row {}", i);
    for (std::size_t j = 0; j < i; ++j) {
      const double norms = std::sqrt(products(i, i) * products(j, j));
      cosines(i, j) = cosines(j, i) = norms > 0 ? std::clamp(products(i, j) / norms, -1.0, 1.0) : 0;
    }
    cosines(i, i) = 1;
  }
  return cosines;
}

ClientMatrix layerwise_similarity(std::vector<float> updates, std::size_t clients, const Layout& layout, double top_r) {
  assert(updates.size() == clients * layout.size());
  ClientMatrix sum(clients);
  double layers = 0;
  for (const Slice& layer : layout.slices()) {
    if (layer.range.size() == 0) continue;
    for (std::size_t i = 0; i < clients; ++i) {
      keep_top_entries(std::span(updates).subspan(i * layout.size() + layer.range.begin, layer.range.size()), top_r);
    }
    const ClientMatrix cosines = cosine_similarity(updates, clients, layer.range);
    for (std::size_t i = 0; i < clients; ++i) {
      for (std::size_t j = 0; j < clients; ++j) sum(i, j) += cosines(i, j);
    }
    ++layers;
  }
  for (std::size_t i = 0; i < clients; ++i) {
    for (std::size_t j = 0; j < clients; ++j) sum(i, j) = i == j ? 1 : sum(i, j) / std::max(layers, 1.0);
  }
  return sum;
}

}  // namespace paretofl
