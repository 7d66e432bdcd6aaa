#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {

/// Which gradients are asked for: V of them, each of a weighted sum of objectives, and the losses of those.
struct GradientTerms {
  struct Term {
    std::size_t objective;
    double weight;
    std::size_t vector;  ///< in whose gradient it is, below V; ascending
  };

  std::size_t vectors = 1;       ///< V
  std::vector<Term> terms = {};  ///< one for each loss

  /// The gradients of all M objectives.
  static GradientTerms jacobian(std::size_t objectives) {
    GradientTerms all{.vectors = objectives, .terms = {}};
    for (std::size_t k = 0; k < objectives; ++k) all.terms.push_back({k, 1, k});
    return all;
  }
  /// The gradient of sum_k lambda_k f_k.
  static GradientTerms weighted(std::span<const double> objective_weights) {
    GradientTerms sum;
    for (std::size_t k = 0; k < objective_weights.size(); ++k) sum.terms.push_back({k, objective_weights[k], 0});
    return sum;
  }
  /// The gradient of f_k.
  static GradientTerms of_objective(std::size_t k) { return {.vectors = 1, .terms = {{k, 1, 0}}}; }
};

/// Sums over samples of what is clipped sample by sample: each of the V gradients to the norm `clip`, the losses together to `loss_clip`.
struct ClippedSums {
  double clip;
  double loss_clip;
  std::span<double> losses;     ///< one for each term
  std::span<double> gradients;  ///< [V, d] row-major
};

/// Thrown where samples are clipped side by side and one of them has a gradient that is not finite: the sums are of no use then.
class NotFiniteSample : public Error {
 public:
  NotFiniteSample() : Error("privacy.example_clip: expected finite gradients of samples that are clipped side by side, found others") {}
};

/// Adds a sample's losses and gradients [V, d], clipped. What is not finite adds nothing, and is warned of once: whether a client answers
/// must not depend on one sample. Throws Error where a loss is negative.
void add_clipped(std::span<const double> losses, std::span<const float> gradients, std::size_t vectors, const ClippedSums& sums);

/// Likewise of losses alone.
void add_clipped_losses(std::span<const double> losses, const ClippedSums& sums);

/// To which part of a norm vectors are clipped whose sums are computed in single precision, so that its rounding errors don't take a sum
/// beyond what clipping promises.
inline constexpr double kBelowClip = 1 - 1e-3;

/// The factor at most 1 that makes a vector of this squared norm no longer than `bound`. Throws NotFiniteSample on a norm that is not
/// finite.
double clipping(double squared_norm, double bound);

}  // namespace paretofl
