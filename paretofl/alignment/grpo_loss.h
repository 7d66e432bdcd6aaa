#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// How the losses of a step's tokens add up to one loss, and what is clipped.
enum class LossType {
  kGrpo,    ///< the mean over the completions of the mean over each completion's tokens (Shao et al. 2024, eq. 3)
  kDrGrpo,  ///< the sum over the tokens, over the number of completions times the longest length allowed (Liu et al. 2025)
  kDapo,    ///< the mean over all tokens of the step (Yu et al. 2025, eq. 8)
  kBnpo,    ///< the same: a step is on a whole batch, and microbatches do not change what it is divided by
  kCispo,   ///< the same mean of the clipped ratio, as a constant, times advantage and log-probability (MiniMax 2025, eq. 4)
};

/// Whether each token has a ratio of its own, or all tokens of a completion have the geometric mean of theirs (GSPO, Zheng et al. 2025,
/// eq. 7).
enum class RatioLevel { kToken, kSequence };

/// Read one of the names that describe_grpo_rule lists; throw Error on any other.
LossType parse_loss_type(const std::string& text);
RatioLevel parse_ratio_level(const std::string& text);
/// The options loss_type and importance_sampling_level.
void describe_grpo_rule(OptionVisitor& visit, std::string& loss_type, std::string& level);

/// What is done to the ratios of a policy's probabilities.
struct GrpoRule {
  LossType type = LossType::kGrpo;
  RatioLevel level = RatioLevel::kToken;
  double low = 0.2;                                        ///< ratios are clipped below 1 - low
  double high = 0.2;                                       ///< and above 1 + high; by CISPO above high
  double delta = std::numeric_limits<double>::infinity();  ///< upper bound of ratios under negative advantages (INTELLECT-2, eq. 2)
  double kl_coefficient = 0;                               ///< beta
};

/// The completion tokens [N] of some sequences of a step, one sequence after the other.
struct GrpoTokens {
  std::span<const double> logprobs;      ///< [N] of the policy that is trained
  std::span<const double> old_logprobs;  ///< [N] of the policy that the ratios compare it with
  std::span<const double> reference;     ///< [N] of the reference; may be empty if the price of KL is 0
  std::span<const std::size_t> lengths;  ///< of the sequences, which add up to N
  std::span<const double> shares;        ///< what each token of a sequence counts in the loss (token_shares); 0: left out
};

struct GrpoLoss {
  double loss = 0;          ///< these sequences' part of the step's
  double clipped = 0;       ///< tokens whose gradient is cut off, or whose ratio CISPO clips
  double clipped_low = 0;   ///< of these, tokens with ratios below 1 - low and negative advantages
  double clipped_high = 0;  ///< and with ratios above the upper bound and positive advantages
  double log_ratio = 0;     ///< sum over the tokens of |logp - old|
  double kl = 0;            ///< sum over the tokens of k
};

/// What each token of a step's completions counts in the loss, by completion [B]: 1 / (B T_b) for kGrpo, 1 / (B longest) for kDrGrpo, and
/// else 1 over the number of tokens that count. Completions that do not count (`counted` [B] false) have a share of 0; they are part of B.
std::vector<double> token_shares(LossType type, std::span<const std::size_t> lengths, const std::vector<bool>& counted,
                                 std::int64_t longest);

/// The loss of group relative policy optimization for advantages [sequences]; with the share s_b of a token of sequence b
///   -sum_b s_b sum_t [min(min(r, delta) A_b, clip(r, 1 - low, 1 + high) A_b) - kl_coefficient k],
/// r = exp(logp - old), or exp(mean_t(logp - old)) of a whole sequence, k = exp(ref - logp) - (ref - logp) - 1. CISPO has
/// min(r, high) A_b logp in place of the minimum, and takes no derivative of the ratio. Writes the derivatives with respect to logp [N].
/// Tokens that are left out are not counted either.
GrpoLoss grpo_loss(const GrpoTokens& tokens, std::span<const double> advantages, const GrpoRule& rule, std::span<double> derivatives);

}  // namespace paretofl
