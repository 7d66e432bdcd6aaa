#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Gather gold and a gem past two enemies and come home (Barrett and Narayanan 2008, as in MO-Gymnasium).
///
/// Observation int32 (row, column, has gold, has gem) on a 5 x 5 grid, from home at (4, 2). Actions 0 up, 1 down, 2 left,
/// 3 right; a move off the grid stays, and the cell then counts as entered again. Reward (-1 if killed, 1 for gold and 1
/// for the gem brought home). Gold at (0, 2), gem at (1, 4); each step that ends on an enemy, (0, 3) and (1, 2), kills
/// with probability 0.1. Death and home terminate. 100 steps.
std::unique_ptr<Environment> make_resource_gathering(std::string id);

}  // namespace paretofl
