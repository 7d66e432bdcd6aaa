#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/tables/target_values.h"

namespace paretofl {

/// The outputs [head.outputs] of a head with the least loss on the rows among all that look at no input: the mean, the median or the
/// quantile of the targets, the logit of the frequency of label 1, or the logarithms of the classes' frequencies. A class without a row
/// counts as half a row, so that its loss is finite. Throws Error if no row has a value.
std::vector<double> constant_output(const TargetValues& values, std::span<const std::uint32_t> rows);

}  // namespace paretofl
