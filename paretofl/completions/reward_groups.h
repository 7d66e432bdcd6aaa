#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Clients that answer questions of one task for the same rewards, of which the first is the task's accuracy.
struct RewardGroup {
  std::string task;
  std::vector<std::string> rewards;
};

/// Groups of a text such as "sums:accuracy+format,sums:accuracy". Throws Error if there are none, on names that are not
/// in `tasks` and `rewards`, on a reward that a group names twice, and where groups of one task begin with different rewards.
std::vector<RewardGroup> parse_reward_groups(std::string_view text, const Components& tasks, const Components& rewards);

}  // namespace paretofl
