#pragma once

#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/rewards/reward.h"

namespace paretofl {

/// 1 if a completion is reasoning in its tags and then an answer in its tags, each tag once and nothing but white space
/// before, between and after; else 0 ("format", named in FedMOA's Table 3, which defines it nowhere). What stands within the tags may be
/// anything, also nothing, but none of the tags. An empty completion and unclosed tags earn 0. Range {0, 1}.
class FormatReward : public Reward {
 public:
  using Options = ReasoningTags;

  /// Throws Error on names that cannot be names of tags, or are equal.
  explicit FormatReward(Options options);
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
