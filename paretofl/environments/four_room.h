#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Collect shapes in four rooms on the way to a goal (Barreto et al. 2017, as in MO-Gymnasium).
///
/// Observation int32: row and column on a 13 x 13 grid, then whether each of the 12 shapes has been collected, by column
/// and in it by row. Starts at (12, 0). Actions 0 left, 1 up, 2 right, 3 down; a move off the grid or into a wall stays.
/// Reward per kind of shape (blue square, green triangle, red circle): 1 when one is collected, 1 in all three at the
/// goal (0, 12), which terminates. 200 steps.
std::unique_ptr<Environment> make_four_room(std::string id);

}  // namespace paretofl
