#pragma once

#include <cstddef>

namespace paretofl {

/// The format of a molecule of n atoms in Batch::inputs, padded to kMaxAtoms places: n; then for every place its
/// kNodeFeatures numbers, and kEdgeFeatures numbers of the pair with each of the kMaxAtoms places. Places and pairs
/// beyond n, and those of an atom with itself, are zero.
inline constexpr std::size_t kMaxAtoms = 29;  ///< of QM9's largest molecules
inline constexpr std::size_t kNodeFeatures = 11;
inline constexpr std::size_t kEdgeFeatures = 5;
inline constexpr std::size_t kAtomNumbers = kNodeFeatures + kEdgeFeatures * kMaxAtoms;
inline constexpr std::size_t kMoleculeNumbers = 1 + kMaxAtoms * kAtomNumbers;

}  // namespace paretofl
