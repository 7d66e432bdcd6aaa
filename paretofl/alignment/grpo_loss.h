#pragma once

#include <cstddef>
#include <span>

namespace paretofl {

/// The completion tokens [N] of some sequences of a batch of B, one sequence after the other.
struct GrpoTokens {
  std::span<const double> logprobs;      ///< [N] of the policy that is trained
  std::span<const double> old_logprobs;  ///< [N] of the policy that drew them
  std::span<const double> reference;     ///< [N] of the reference; may be empty if the price of KL is 0
  std::span<const std::size_t> lengths;  ///< of the sequences, which add up to N
  std::size_t batch = 0;                 ///< B
};

struct GrpoLoss {
  double loss = 0;     ///< these sequences' part of the batch's
  double clipped = 0;  ///< tokens whose gradient is cut off
  double kl = 0;       ///< sum over the tokens of k
};

/// The loss of group relative policy optimization (Shao et al. 2024, eq. 3) for advantages [sequences]:
///   -1/B sum_b 1/T_b sum_t [min(ratio A_b, clip(ratio, 1 - clip, 1 + clip) A_b) - kl_coefficient k],
/// ratio = exp(logp - old), k = exp(ref - logp) - (ref - logp) - 1. Writes its derivatives with respect to logp [N].
GrpoLoss grpo_loss(const GrpoTokens& tokens, std::span<const double> advantages, double clip, double kl_coefficient,
                   std::span<double> derivatives);

}  // namespace paretofl
