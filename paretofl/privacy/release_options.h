#pragma once

#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// What the sums over the cohort disclose of a client: how its numbers are clipped, and how much noise the sums get. Keys of the group
/// `privacy` of a config.
struct ReleaseOptions {
  double clip = 0;
  std::string clip_by = "whole";
  double clip_jacobian = 0;
  std::string clip_jacobian_by = "objective";
  double clip_losses = 10;
  bool adaptive_clip = false;
  double clip_quantile = 0.5;
  double clip_lr = 0.2;
  double noise_multiplier = 0;
  std::string sampling = "fixed_size";
  double delta = 1e-5;
  double budget = 0;
  std::string accountant = "rdp";

  void describe(OptionVisitor& visit);
  /// Throws Error, naming the option, unless they fit each other.
  void check() const;

  bool clips() const { return clip > 0; }
  bool noisy() const { return noise_multiplier > 0; }
  bool poisson() const { return sampling == "poisson"; }
};

}  // namespace paretofl
