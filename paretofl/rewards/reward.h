#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/registry.h"
#include "paretofl/core/settings.h"

namespace paretofl {

/// A completion to judge.
struct Answer {
  std::string prompt;
  std::string completion;
  std::string reference = {};  ///< what a correct completion says, for rewards that know one
};

/// What one objective thinks of completions. Immutable, and safe to share between threads. Works on texts, so that models
/// and rewards may have different vocabularies.
class Reward {
 public:
  virtual ~Reward() = default;

  /// One finite score per answer; what its range is, the reward's own documentation says.
  virtual std::vector<double> scores(std::span<const Answer> answers) const = 0;
};

/// Every reward by name.
Registry<std::unique_ptr<Reward>(const Settings&)>& rewards();

/// The reward that a component names.
std::unique_ptr<Reward> make_reward(const Component& component);

}  // namespace paretofl
