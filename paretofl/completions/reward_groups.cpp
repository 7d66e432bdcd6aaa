#include "paretofl/completions/reward_groups.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/data/listed_names.h"

namespace paretofl {
namespace {

constexpr const char* kWhat = "workload.groups";

void expect_known(const std::string& name, const Components& known, const char* kind) {
  std::vector<std::string> names;
  for (const auto& [key, component] : known) names.push_back(key);
  expect(known.contains(name), "{}: expected {}, one of {}; found '{}'", kWhat, kind, fmt::join(names, ", "), name);
}

}  // namespace

std::vector<RewardGroup> parse_reward_groups(std::string_view text, const Components& tasks, const Components& rewards) {
  std::vector<RewardGroup> groups;
  for (const std::string& part : listed_names(kWhat, text)) {
    const std::size_t colon = part.find(':');
    expect(colon != std::string::npos, "{}: expected a task, a colon and its rewards, as in sums:accuracy+format, found '{}'", kWhat, part);
    RewardGroup& group = groups.emplace_back(RewardGroup{part.substr(0, colon), listed_names(kWhat, part.substr(colon + 1), '+')});
    expect_known(group.task, tasks, "a task of workload.tasks");
    expect(!group.rewards.empty(), "{}: expected rewards of '{}', found none", kWhat, group.task);
    for (auto reward = group.rewards.begin(); reward != group.rewards.end(); ++reward) {
      expect_known(*reward, rewards, "a reward of workload.rewards");
      expect(std::find(group.rewards.begin(), reward, *reward) == reward, "{}: expected each reward once, found '{}'", kWhat, part);
    }
    for (const RewardGroup& other : groups) {
      expect(other.task != group.task || other.rewards.front() == group.rewards.front(),
             "{}: expected groups of '{}' to begin with the same reward, its accuracy; found {} and {}", kWhat, group.task,
             other.rewards.front(), group.rewards.front());
    }
  }
  expect(!groups.empty(), "{}: expected at least one group, as in sums:accuracy+format, found none", kWhat);
  return groups;
}

}  // namespace paretofl
