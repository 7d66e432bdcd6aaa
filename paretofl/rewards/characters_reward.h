#pragma once

#include <set>
#include <string>

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// The share of a completion's bytes that belong to characters in a set; 0 for an empty completion. Range [0, 1]. Rewards of disjoint sets
/// are in conflict, which makes the smallest alignment problem there is.
class CharactersReward : public Reward {
 public:
  struct Options {
    std::string set = "aeiou";

    void describe(OptionVisitor& visit);
  };

  /// Throws Error on an empty set.
  explicit CharactersReward(Options options);
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
  std::set<std::string, std::less<>> characters_;  ///< of the set, each a UTF-8 character or a byte that is in none
};

}  // namespace paretofl
