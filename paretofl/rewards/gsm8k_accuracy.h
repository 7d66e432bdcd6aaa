#pragma once

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// 1 if a completion's number is the reference's, else 0 (the accuracy of FedMOA on GSM8K; what follows is ours). Range {0, 1}.
///
/// The completion answers within the last <answer> tags if there are any (one that is never closed reaches to the end), and
/// there, or in the whole completion, after the last "####": the first number of that line; else in the last \boxed{}: its
/// last number; else its last number. Where one of these has no number the next ones are not tried: the score is 0, as it is
/// for an empty completion. The reference is a number, or a solution with one after "####".
/// Numbers are read as numbers_of says and compared exactly: 1,200 = $1200.00, 1/2 = 0.5, and a percent sign means nothing.
class Gsm8kAccuracy : public Reward {
 public:
  struct Options {
    std::string tag = "answer";

    void describe(OptionVisitor& visit);
  };

  /// Throws Error on a name that is no tag's.
  explicit Gsm8kAccuracy(Options options);
  /// Throws Error where a reference has no number.
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Options options_;
};

}  // namespace paretofl
