#pragma once

#include "paretofl/rewards/reward.h"
#include "paretofl/sandbox/sandbox.h"

namespace paretofl {

/// 1 if a completion has exactly one fenced block (fenced_blocks()), and that is closed and Python which its interpreter can parse, else
/// 0 ("code_format", named in FedMOA's Table 3, which defines it nowhere). Nothing is run, but as an interpreter's parser is no fortress,
/// it works in a sandbox, one start for all texts of a call, and another one behind each text that stops it.
class CodeFormat : public Reward {
 public:
  struct Options {
    SandboxOptions sandbox;

    void describe(OptionVisitor& visit);
  };

  /// Throws Error if there is no sandbox.
  explicit CodeFormat(const Options& options) : sandbox_(options.sandbox) {}
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  Sandbox sandbox_;
};

}  // namespace paretofl
