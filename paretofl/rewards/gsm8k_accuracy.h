#pragma once

#include <optional>
#include <string_view>

#include "paretofl/rewards/exact_number.h"
#include "paretofl/rewards/reward.h"

namespace paretofl {

/// 1 if a completion's number is the reference's, else 0 (the accuracy of FedMOA on GSM8K; what follows is ours). Range {0, 1}.
///
/// The completion answers within the last <answer> tags if there are any (one that is never closed reaches to the end), and
/// there, or in the whole completion, in the last line behind "####" or the last \boxed{} with the sign before it, whichever comes later;
/// else by its last number. Where one of these has no number the next ones are not tried: the score is 0, as it is for an empty completion.
/// final_number() says what number an answer gives: one that leaves open which number it means gives none, and neither do
/// boxes that differ, or answers in several tags behind the reasoning that do. The reference is a number, or a solution.
/// Numbers are read as NumberText says and compared exactly: 1,200 = $1200.00, 1/2 = 0.5, and a percent sign means nothing.
class Gsm8kAccuracy : public Reward {
 public:
  struct Options {
    std::string tag = "answer";

    void describe(OptionVisitor& visit);
  };

  /// Throws Error on a name that cannot be the name of a tag.
  explicit Gsm8kAccuracy(Options options);
  /// Throws Error if a reference has no number.
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  std::optional<ExactNumber> answer_of(std::string_view completion) const;

  Options options_;
};

}  // namespace paretofl
