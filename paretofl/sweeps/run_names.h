#pragma once

#include <string>
#include <vector>

#include "paretofl/sweeps/axis.h"

namespace paretofl {

/// How names of runs call the axes' keys: by their last part; strategy.solver.name by the part before it. By the whole key
/// where two axes would share that.
std::vector<std::string> short_keys(const std::vector<Axis>& axes);

/// The part of a run's name for each of an axis' values: readable, such as client_lr=0.1, where all are short and
/// tell the values apart, else numbered, such as preference.3.
std::vector<std::string> name_parts(const Axis& axis, const std::string& key);

/// The name of a run, and its folder's. Throws Error where it is too long for one.
std::string run_name(const std::vector<std::string>& parts);

}  // namespace paretofl
