#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// How several rewards become one advantage.
enum class AdvantageMode {
  kSumThenNormalize,  ///< the weighted sum's deviation from the group's mean, over a standard deviation (GRPO)
  kNormalizeThenSum,  ///< the weighted sum of each reward's own such advantage, normalized over the batch (GDPO, Liu et al. 2026): no
                      ///< reward's scale outweighs another's
};

/// Which standard deviation the weighted sum's deviation from its group's mean is divided by.
enum class RewardScale { kGroup, kBatch, kNone };

struct AdvantageRule {
  AdvantageMode mode = AdvantageMode::kSumThenNormalize;
  RewardScale scale = RewardScale::kGroup;  ///< only with kSumThenNormalize
  bool unbiased = false;                    ///< variances over n - 1 instead of n
};

/// Read "sum_then_normalize" or "normalize_then_sum", and "group", "batch" or "none"; throw Error on anything else.
AdvantageMode parse_advantage_mode(const std::string& text);
RewardScale parse_reward_scale(const std::string& text);
/// The options advantages, scale_rewards and unbiased_deviation.
void describe_advantages(OptionVisitor& visit, std::string& mode, std::string& scale, bool& unbiased);

struct GroupAdvantages {
  std::vector<double> advantages;  ///< [B], zero in flat groups
  std::size_t flat_groups = 0;     ///< groups all of whose completions have the same weighted rewards: they teach nothing
};

/// Advantages of B completions, `group` of one prompt after the other, from rewards [B, K], row-major, and weights [K]. Whatever is
/// normalized is divided by its standard deviation + 1e-4: that of the group's own numbers; with kBatch that of the weighted rewards of
/// the whole batch; with kNormalizeThenSum each reward by that of its group, and then the sum by that of its batch, about the batch's
/// mean. Throws Error unless B is a multiple of the group and the rewards are finite.
GroupAdvantages group_advantages(std::span<const double> rewards, std::span<const double> weights, std::size_t group,
                                 const AdvantageRule& rule);

}  // namespace paretofl
