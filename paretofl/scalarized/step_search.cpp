#include "paretofl/scalarized/step_search.h"

#include <cmath>
#include <limits>

#include "paretofl/scalarized/fair_direction.h"

namespace paretofl {
namespace {

constexpr double kSufficientDecrease = 1e-4;

/// What a trial says about a step.
struct Trial {
  bool sufficient = true;
  double change = 0;  ///< of the sum of the losses; infinite where one is not finite
};

Trial judge(std::span<const double> losses, std::span<const double> slopes, const std::vector<std::optional<double>>& found, double step,
            bool fairer) {
  Trial trial;
  std::vector<double> before, after;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (!found[i]) continue;
    const double loss = std::isfinite(*found[i]) ? *found[i] : std::numeric_limits<double>::infinity();
    if (!(loss <= losses[i] - kSufficientDecrease * step * slopes[i])) trial.sufficient = false;
    trial.change += loss - losses[i];
    before.push_back(losses[i]);
    after.push_back(loss);
  }
  if (trial.sufficient && fairer) trial.sufficient = fairness_cosine(after) > fairness_cosine(before);
  return trial;
}

}  // namespace

StepSearch::Found StepSearch::find(std::span<const double> losses, std::span<const double> slopes, const LossesAt& losses_at) const {
  Found found;
  std::optional<double> falling;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int64_t exponent = first; exponent >= last; --exponent) {
    const double step = std::ldexp(eta, static_cast<int>(exponent));
    const Trial trial = judge(losses, slopes, losses_at(step), step, fairer);
    found.trials += 1;
    if (trial.sufficient) {
      found.step = step;
      found.sufficient = true;
      return found;
    }
    if (trial.change < 0 && !falling) falling = step;
    if (trial.change < smallest) {
      smallest = trial.change;
      found.step = step;
    }
  }
  if (falling) found.step = *falling;
  return found;
}

}  // namespace paretofl
