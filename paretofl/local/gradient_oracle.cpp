#include "paretofl/local/gradient_oracle.h"

#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {

std::vector<double> GradientOracle::local_losses(std::span<const float>) const {
  throw Error("local losses: expected a client that can tell its losses on all of its data, found one that can't");
}

void GradientOracle::add_clipped_samples(std::span<const float> theta, const GradientTerms& terms, std::span<const std::uint32_t> samples,
                                         const Draw& draw, const ClippedSums& sums) const {
  std::vector<double> losses(sums.losses.size());
  std::vector<float> gradients(sums.gradients.size());
  std::vector<double> weights;
  for (const auto& term : terms.terms) weights.push_back(term.weight);
  for (const std::uint32_t sample : samples) {
    const Draw one{draw.stream.substream("sample", sample), draw.step, sample};
    if (terms.terms.size() == 1 && terms.terms[0].weight == 1) {
      losses[0] = objective_gradient(theta, terms.terms[0].objective, one, gradients);
    } else if (terms.vectors == 1) {
      weighted_gradient(theta, weights, one, losses, gradients);
    } else {
      jacobian(theta, one, losses, gradients);
    }
    add_clipped(losses, gradients, terms.vectors, sums);
  }
}

}  // namespace paretofl
