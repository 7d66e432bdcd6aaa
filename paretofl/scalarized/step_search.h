#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace paretofl {

/// The search of FedMDFG (Pan et al. 2023) for a step size along a direction d of common descent: the largest of the steps eta 2^first,
/// eta 2^(first - 1), ..., eta 2^last at which every loss falls enough, f_i(theta - step d) <= f_i(theta) - 1e-4 step <g_i, d> (Armijo's
/// condition; the paper's appendix, eq. 6), and where `fairer`, their angle with (1, ..., 1) falls as well. If there is none, the largest
/// step at which the sum of the losses falls (appendix A.2, part 2), or else the one with the smallest sum.
struct StepSearch {
  double eta = 1;
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< at most `first`
  bool fairer = false;

  struct Found {
    double step = 0;
    int trials = 0;           ///< steps that were tried
    bool sufficient = false;  ///< whether the conditions hold at `step`
  };

  /// The losses [n] at a step, each empty where that client does not tell; who did not count before doesn't count later.
  using LossesAt = std::function<std::vector<std::optional<double>>(double step)>;

  /// `losses` [n] are those at theta, `slopes` [n] are <g_i, d>. A loss that is not finite meets no condition.
  Found find(std::span<const double> losses, std::span<const double> slopes, const LossesAt& losses_at) const;
};

}  // namespace paretofl
