#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Down a binary tree to one of 64 fruits, each with six nutrients and none better than another in all of them (Yang et al.
/// 2019, as in MO-Gymnasium, depth 6).
///
/// Observation int32 (depth 0 .. 6, place from the left at that depth), from the root. Actions 0 left, 1 right. Reward
/// float32 [6]: nothing on the way, the fruit's nutrients at the leaf, which terminates. No step limit; six steps.
std::unique_ptr<Environment> make_fruit_tree(std::string id);

}  // namespace paretofl
