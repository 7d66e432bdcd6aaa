#pragma once

#include <array>

#include "paretofl/environments/environment.h"

namespace paretofl {

using Treasures = std::array<double, 10>;  ///< of Deep-Sea Treasure, by column

inline constexpr Treasures kConvexTreasures = {0.7, 8.2, 11.5, 14, 15.1, 16.1, 19.6, 20.3, 22.4, 23.7};
inline constexpr Treasures kConcaveTreasures = {1, 2, 3, 5, 8, 16, 24, 50, 74, 124};

/// A submarine looks for treasure (Vamplew et al. 2011; maps of Yang et al. 2019 as in MO-Gymnasium). Ten columns of an
/// 11 x 11 sea end in a treasure with rock below it; the eleventh is open water.
///
/// Observation (row, column), int32, from (0, 0). Actions 0 up, 1 down, 2 left, 3 right; a move off the map or into rock
/// leaves the submarine where it is. Reward float32 (treasure, -1); reaching a treasure terminates. 100 steps.
std::unique_ptr<Environment> make_deep_sea_treasure(std::string id, const Treasures& treasures);

}  // namespace paretofl
