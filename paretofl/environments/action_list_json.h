#pragma once

#include <string>
#include <vector>

#include "paretofl/environments/action_space.h"

namespace paretofl {

/// Reads a list of T actions: integers of a discrete space, or lists of A numbers. Returns them row by row [T, A].
/// Throws Error, calling the text `name`, on broken JSON and on the first action that is illegal, by its index.
std::vector<double> parse_actions(const std::string& text, const std::string& name, const ActionSpace& space);

}  // namespace paretofl
