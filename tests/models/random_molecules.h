#pragma once

#include <cmath>
#include <cstdint>

#include "paretofl/models/molecule_input.h"
#include "tests/models/random_batch.h"

namespace paretofl {

/// N graphs of 1 to `most_atoms` atoms with random features, one kind of bond or none between any two and distances of
/// 1 to 5, and normal targets for every head.
class RandomMolecules : public RandomBatch {
 public:
  RandomMolecules(std::size_t size, const std::vector<Head>& heads, std::size_t most_atoms = 7, std::uint64_t seed = 1)
      : RandomBatch(size, heads, kMoleculeNumbers, seed) {
    std::fill(inputs().begin(), inputs().end(), 0.0F);
    Random random({.seed = seed}, "molecules");
    for (std::size_t n = 0; n < size; ++n) {
      const std::size_t count = 1 + random.below(most_atoms);
      inputs()[n * kMoleculeNumbers] = static_cast<float>(count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t x = 0; x < kNodeFeatures; ++x) node(n, i)[x] = static_cast<float>(random.normal());
        for (std::size_t j = 0; j < i; ++j) {
          const std::uint64_t bond = random.below(kEdgeFeatures);
          const auto distance = static_cast<float>(random.uniform(1, 5));
          for (float* of_pair : {pair(n, i, j), pair(n, j, i)}) {
            if (bond + 1 < kEdgeFeatures) of_pair[bond] = 1;
            of_pair[kEdgeFeatures - 1] = distance;
          }
        }
      }
    }
  }

  float* node(std::size_t n, std::size_t i) { return inputs().data() + n * kMoleculeNumbers + 1 + i * kAtomNumbers; }
  float* pair(std::size_t n, std::size_t i, std::size_t j) { return node(n, i) + kNodeFeatures + j * kEdgeFeatures; }
  std::size_t atoms(std::size_t n) { return static_cast<std::size_t>(inputs()[n * kMoleculeNumbers]); }
};

}  // namespace paretofl
