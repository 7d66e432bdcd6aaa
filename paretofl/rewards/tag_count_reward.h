#pragma once

#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/rewards/reward.h"

namespace paretofl {

/// The share of the four tags (of the reasoning and of the answer, opening and closing) that a completion has exactly once,
/// in whatever order ("tag count", named in FedMOA's Table 3, which defines it nowhere). A tag that is missing or repeated counts nothing;
/// an empty completion earns 0. Range {0, 1/4, 1/2, 3/4, 1}.
class TagCountReward : public Reward {
 public:
  using Options = ReasoningTags;

  /// Throws Error on names that cannot be names of tags, or are equal.
  explicit TagCountReward(Options options);
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
