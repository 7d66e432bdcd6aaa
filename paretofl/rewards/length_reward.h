#pragma once

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// How close a completion's length (characters, as UTF-8 code points) is to a target: 1 - |length - target| / width, but at
/// least 0. Range [0, 1].
class LengthReward : public Reward {
 public:
  struct Options {
    std::int64_t target = 100;
    std::int64_t width = 100;

    void describe(OptionVisitor& visit);
  };

  explicit LengthReward(Options options) : options_(options) {}
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
