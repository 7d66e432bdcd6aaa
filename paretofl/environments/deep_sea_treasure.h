#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// The sea that a submarine searches, with its ten treasures.
enum class SeaMap {
  kConvex,    ///< 11 x 11; the treasures' front is convex (Yang et al. 2019)
  kConcave,   ///< 11 x 11; the treasures' front is concave (Vamplew et al. 2011)
  kMirrored,  ///< 11 x 20; the concave front to the right of the start, the same sea without treasure to its left (Felten et al. 2022)
};

/// A submarine looks for treasure (Vamplew et al. 2011; maps as in MO-Gymnasium). Ten columns of the sea end in a treasure with
/// rock below it. The eleventh column of the 11 x 11 maps is open water.
///
/// Observation (row, column), int32, from (0, 0), or from (0, 10) in the mirrored map. Actions 0 up, 1 down, 2 left, 3 right; a
/// move off the map or into rock leaves the submarine where it is. Reward float32 (treasure, -1); reaching a treasure terminates.
/// 100 steps.
std::unique_ptr<Environment> make_deep_sea_treasure(std::string id, SeaMap map);

}  // namespace paretofl
