#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/registry/registry.h"
#include "paretofl/registry/settings.h"

namespace paretofl {

/// A completion to judge.
struct Answer {
  std::string prompt;
  std::string completion;
  std::string reference = {};  ///< the correct answer, for rewards that compare with one
};

/// Scores completions for one objective. Immutable, and safe to share between threads. Works on texts, so that models
/// and rewards may have different vocabularies.
class Reward {
 public:
  virtual ~Reward() = default;

  /// One finite score per answer; the documentation of each reward says its range.
  virtual std::vector<double> scores(std::span<const Answer> answers) const = 0;
};

/// Every reward by name.
Registry<std::unique_ptr<Reward>(const Settings&)>& rewards();

/// The reward that a component names.
std::unique_ptr<Reward> make_reward(const Component& component);

}  // namespace paretofl
