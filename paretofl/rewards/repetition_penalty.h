#pragma once

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// Minus the share of a completion's groups of n words that stood in it before: seq-rep-n of Welleck et al. 2020, "Neural
/// Text Generation with Unlikelihood Training", over words (what stands between spaces and line ends). A completion of
/// fewer than n words, such as an empty one, earns 0. Range (-1, 0].
class RepetitionPenalty : public Reward {
 public:
  struct Options {
    std::int64_t n = 4;

    void describe(OptionVisitor& visit);
  };

  explicit RepetitionPenalty(Options options) : options_(options) {}
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
