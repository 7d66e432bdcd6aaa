#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// How several rewards become one advantage.
enum class AdvantageMode {
  kSumThenNormalize,  ///< the weighted sum's deviation from the group's mean, over the group's standard deviation (GRPO)
  kNormalizeThenSum,  ///< the weighted sum of each reward's own such advantage: no reward's scale outweighs another's
};

/// Reads "sum_then_normalize" or "normalize_then_sum"; throws Error on anything else.
AdvantageMode parse_advantage_mode(const std::string& text);
void describe_advantage_mode(OptionVisitor& visit, std::string& field);

struct GroupAdvantages {
  std::vector<double> advantages;  ///< [B], zero in flat groups
  std::size_t flat_groups = 0;     ///< groups all of whose completions have the same weighted rewards: they teach nothing
};

/// Advantages of B completions, `group` of one prompt after the other, from rewards [B, K], row-major, and weights [K]: deviation
/// over (standard deviation of the group's own numbers + 1e-4). Throws Error unless B is a multiple of the group and the
/// rewards are finite.
GroupAdvantages group_advantages(std::span<const double> rewards, std::span<const double> weights, std::size_t group, AdvantageMode mode);

}  // namespace paretofl
