#include "paretofl/alignment/group_advantages.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kEpsilon = 1e-4;
const std::vector<std::string> kModes{"sum_then_normalize", "normalize_then_sum"};
const std::vector<std::string> kScales{"group", "batch", "none"};

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments(std::span<const double> values, bool unbiased) {
  const auto n = static_cast<double>(values.size());
  Moments found;
  for (const double value : values) found.mean += value / n;
  const double by = unbiased ? std::max(n - 1, 1.0) : n;
  double variance = 0;
  for (const double value : values) variance += (value - found.mean) * (value - found.mean) / by;
  found.deviation = std::sqrt(variance);
  return found;
}

/// Takes a group's mean off its numbers and multiplies by `scale`, or divides by the group's own deviation; returns whether the numbers
/// differ at all, and leaves zeros where they don't.
bool normalize(std::span<double> values, bool unbiased, std::optional<double> scale = {}) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) {
    std::fill(values.begin(), values.end(), 0.0);
    return false;
  }
  const Moments own = moments(values, unbiased);
  const double by = scale.value_or(1 / (own.deviation + kEpsilon));
  for (double& value : values) value = (value - own.mean) * by;
  return true;
}

}  // namespace

AdvantageMode parse_advantage_mode(const std::string& text) {
  if (text == kModes[0]) return AdvantageMode::kSumThenNormalize;
  expect(text == kModes[1], "advantages: expected {} or {}, found '{}'", kModes[0], kModes[1], text);
  return AdvantageMode::kNormalizeThenSum;
}

RewardScale parse_reward_scale(const std::string& text) {
  const auto found = std::find(kScales.begin(), kScales.end(), text);
  expect(found != kScales.end(), "scale_rewards: expected {}, {} or {}, found '{}'", kScales[0], kScales[1], kScales[2], text);
  return static_cast<RewardScale>(found - kScales.begin());
}

void describe_advantages(OptionVisitor& visit, std::string& mode, std::string& scale, bool& unbiased) {
  visit.choice("advantages", mode, kModes,
               "whether rewards are weighted and summed before they are normalized within a group, or after it, and then normalized over "
               "the batch (GDPO)");
  visit.choice("scale_rewards", scale, kScales,
               "the standard deviation that summed rewards are divided by: of the group, of the batch, or none; group with "
               "normalize_then_sum");
  visit.boolean("unbiased_deviation", unbiased, "take standard deviations over n - 1 numbers, as TRL does, instead of n");
}

GroupAdvantages group_advantages(std::span<const double> rewards, std::span<const double> weights, std::size_t group,
                                 const AdvantageRule& rule) {
  const std::size_t kinds = weights.size();
  expect(kinds > 0 && group > 0 && rewards.size() % (kinds * group) == 0, "advantages: expected whole groups of {} x {} rewards, found {}",
         group, kinds, rewards.size());
  for (const double reward : rewards) expect(std::isfinite(reward), "advantages: expected finite rewards, found {}", reward);
  GroupAdvantages result{std::vector<double>(rewards.size() / kinds), 0};
  const auto reward = [&](std::size_t i, std::size_t k) { return rewards[i * kinds + k]; };
  const bool sum_first = rule.mode == AdvantageMode::kSumThenNormalize;
  std::optional<double> scale;
  if (sum_first) {
    for (std::size_t i = 0; i < result.advantages.size(); ++i) {
      for (std::size_t k = 0; k < kinds; ++k) result.advantages[i] += weights[k] * reward(i, k);
    }
    if (rule.scale == RewardScale::kNone) scale = 1;
    if (rule.scale == RewardScale::kBatch) scale = 1 / (moments(result.advantages, rule.unbiased).deviation + kEpsilon);
  }
  std::vector<double> values(group);
  std::vector<bool> flat;  // by group
  for (std::size_t first = 0; first < result.advantages.size(); first += group) {
    const std::span<double> advantages = std::span(result.advantages).subspan(first, group);
    bool differ = false;
    if (sum_first) {
      differ = normalize(advantages, rule.unbiased, scale);
    } else {
      for (std::size_t k = 0; k < kinds; ++k) {
        for (std::size_t i = 0; i < group; ++i) values[i] = reward(first + i, k);
        differ = (normalize(values, rule.unbiased) && weights[k] > 0) || differ;
        for (std::size_t i = 0; i < group; ++i) advantages[i] += weights[k] * values[i];
      }
    }
    flat.push_back(!differ);
    result.flat_groups += differ ? 0 : 1;
  }
  if (sum_first || result.flat_groups == flat.size()) return result;
  const Moments whole = moments(result.advantages, rule.unbiased);
  for (std::size_t i = 0; i < result.advantages.size(); ++i) {
    result.advantages[i] = flat[i / group] ? 0 : (result.advantages[i] - whole.mean) / (whole.deviation + kEpsilon);
  }
  return result;
}

}  // namespace paretofl
