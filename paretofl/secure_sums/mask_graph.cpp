#include "paretofl/secure_sums/mask_graph.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/secure_sums/secret_shares.h"

namespace paretofl {

std::map<int, std::vector<int>> mask_graph(std::span<const int> clients, std::size_t degree, Random random) {
  expect(degree >= 2 && degree % 2 == 0 && degree <= kMostShares,
         "secure sum: expected an even number of neighbours from 2 to {}, found {}", kMostShares - 1, degree);
  std::vector<int> ring(clients.begin(), clients.end());
  const bool complete = ring.size() <= degree + 1;
  if (!complete) random.shuffle(std::span(ring));
  std::map<int, std::vector<int>> graph;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    std::vector<int>& neighbours = graph[ring[i]];
    for (std::size_t step = 1; step < ring.size(); ++step) {
      const std::size_t distance = std::min(step, ring.size() - step);
      if (complete || distance <= degree / 2) neighbours.push_back(ring[(i + step) % ring.size()]);
    }
    std::sort(neighbours.begin(), neighbours.end());
  }
  return graph;
}

}  // namespace paretofl
