#include "paretofl/alignment/grpo_loss.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

GrpoLoss grpo_loss(const GrpoTokens& tokens, std::span<const double> advantages, double clip, double kl_coefficient,
                   std::span<double> derivatives) {
  GrpoLoss result;
  std::size_t i = 0;
  for (std::size_t b = 0; b < tokens.lengths.size(); ++b) {
    const double share = 1 / static_cast<double>(tokens.batch * tokens.lengths[b]);
    for (const std::size_t end = i + tokens.lengths[b]; i < end; ++i) {
      const double ratio = std::exp(tokens.logprobs[i] - tokens.old_logprobs[i]);
      const double plain = ratio * advantages[b];
      const double surrogate = std::min(plain, std::clamp(ratio, 1 - clip, 1 + clip) * advantages[b]);
      const bool cut = surrogate < plain;
      result.loss -= share * surrogate;
      derivatives[i] = cut ? 0 : -share * plain;
      result.clipped += cut ? 1 : 0;
      if (kl_coefficient == 0) continue;
      const double gap = tokens.reference[i] - tokens.logprobs[i];
      const double k = std::exp(gap) - gap - 1;
      result.loss += share * kl_coefficient * k;
      derivatives[i] += share * kl_coefficient * (1 - std::exp(gap));
      result.kl += k;
    }
  }
  return result;
}

}  // namespace paretofl
