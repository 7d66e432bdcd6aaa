#include "paretofl/alignment/group_advantages.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kEpsilon = 1e-4;
const std::vector<std::string> kModes{"sum_then_normalize", "normalize_then_sum"};

/// Normalizes a group's numbers; returns whether they differ at all, and leaves zeros where they don't.
bool normalize(std::span<double> values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) {
    std::fill(values.begin(), values.end(), 0.0);
    return false;
  }
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  const double scale = 1 / (std::sqrt(variance) + kEpsilon);
  for (double& value : values) value = (value - mean) * scale;
  return true;
}

}  // namespace

AdvantageMode parse_advantage_mode(const std::string& text) {
  if (text == kModes[0]) return AdvantageMode::kSumThenNormalize;
  expect(text == kModes[1], "advantages: expected {} or {}, found '{}'", kModes[0], kModes[1], text);
  return AdvantageMode::kNormalizeThenSum;
}

void describe_advantage_mode(OptionVisitor& visit, std::string& field) {
  visit.choice("advantages", field, kModes, "whether rewards are weighted and summed before or after they are normalized within a group");
}

GroupAdvantages group_advantages(std::span<const double> rewards, std::span<const double> weights, std::size_t group, AdvantageMode mode) {
  const std::size_t kinds = weights.size();
  expect(kinds > 0 && group > 0 && rewards.size() % (kinds * group) == 0, "advantages: expected whole groups of {} x {} rewards, found {}",
         group, kinds, rewards.size());
  for (const double reward : rewards) expect(std::isfinite(reward), "advantages: expected finite rewards, found {}", reward);
  GroupAdvantages result{std::vector<double>(rewards.size() / kinds), 0};
  std::vector<double> values(group);
  for (std::size_t first = 0; first < result.advantages.size(); first += group) {
    const std::span<double> advantages = std::span(result.advantages).subspan(first, group);
    const auto reward = [&](std::size_t i, std::size_t k) { return rewards[(first + i) * kinds + k]; };
    bool differ = false;
    if (mode == AdvantageMode::kSumThenNormalize) {
      for (std::size_t i = 0; i < group; ++i) {
        for (std::size_t k = 0; k < kinds; ++k) advantages[i] += weights[k] * reward(i, k);
      }
      differ = normalize(advantages);
    } else {
      for (std::size_t k = 0; k < kinds; ++k) {
        for (std::size_t i = 0; i < group; ++i) values[i] = reward(i, k);
        differ = (normalize(values) && weights[k] > 0) || differ;
        for (std::size_t i = 0; i < group; ++i) advantages[i] += weights[k] * values[i];
      }
    }
    result.flat_groups += differ ? 0 : 1;
  }
  return result;
}

}  // namespace paretofl
