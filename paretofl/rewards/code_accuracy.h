#pragma once

#include "paretofl/rewards/reward.h"
#include "paretofl/sandbox/sandbox.h"

namespace paretofl {

/// Whether a completion's program (code_text()) passes the tests of its reference (parse_code_tests()), each in a sandbox of
/// its own: 1 if all pass, otherwise 0, or with `share` the share that pass. Range [0, 1]. A program's verdict is the same
/// every time where it stays clear of the limits and draws no random numbers of its own; the tests' have a fixed seed.
/// Programs cannot see their tests, stand in for what these are made of, or give a verdict (test_runner.h); docs/sandbox.md
/// says what they still can.
class CodeAccuracy : public Reward {
 public:
  struct Options {
    bool share = false;
    std::int64_t at_once = 1;
    SandboxOptions sandbox;

    void describe(OptionVisitor& visit);
  };

  /// Throws Error if there is no sandbox.
  explicit CodeAccuracy(const Options& options);
  /// Throws Error on a reference that is no tests.
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  double score(const Answer& answer) const;

  Options options_;
  Sandbox sandbox_;
  std::string runner_;  ///< the program that runs tests
};

}  // namespace paretofl
