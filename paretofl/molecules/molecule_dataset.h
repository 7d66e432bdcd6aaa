#pragma once

#include <vector>

#include "paretofl/molecules/molecule.h"
#include "paretofl/molecules/target.h"

namespace paretofl {

/// N molecules with M regression targets each.
struct MoleculeDataset {
  std::vector<Target> objectives;            ///< [M]
  std::vector<Molecule> molecules;           ///< [N]
  std::vector<std::vector<double>> targets;  ///< [M][N] in the objectives' units
};

}  // namespace paretofl
