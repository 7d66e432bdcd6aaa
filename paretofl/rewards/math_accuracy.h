#pragma once

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// 1 if a completion's answer says the same as the reference's, else 0 (the accuracy of FedMOA on MATH; how it is decided is ours); what is
/// the same, same_math_answer says. Range {0, 1}.
///
/// The completion's answer is the last \boxed{} or \fbox{} within the last <answer> tags (one that is never closed reaches
/// to the end), or all they enclose where there is none; without such tags, that of the whole completion. A minus before the box belongs to
/// the answer (number_sign.h). No tags and no box, an empty answer, one of more than 1000 bytes, and without tags a last box that never
/// closes earn 0. The reference is an answer, or a solution with boxes, the last of which is the answer.
class MathAccuracy : public Reward {
 public:
  struct Options {
    std::string tag = "answer";

    void describe(OptionVisitor& visit);
  };

  /// Throws Error on a name that cannot be the name of a tag.
  explicit MathAccuracy(Options options);
  /// Throws Error if a reference has no answer.
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
