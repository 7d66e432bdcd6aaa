#pragma once

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// How close a completion's length is to a target: 1 within `tolerance` of it, and beyond that less by 1 / width per
/// character or word, down to 0: max(0, 1 - max(0, |length - target| - tolerance) / width). A target range is its middle
/// with half its size as the tolerance. Characters are UTF-8 code points, words what stands between blanks; an empty
/// completion has the length 0. Range [0, 1].
class LengthReward : public Reward {
 public:
  struct Options {
    std::int64_t target = 100;
    std::int64_t tolerance = 0;
    std::int64_t width = 100;
    std::string unit = "characters";

    void describe(OptionVisitor& visit);
  };

  explicit LengthReward(Options options) : options_(std::move(options)) {}
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
