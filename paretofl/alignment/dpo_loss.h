#pragma once

#include <cstddef>
#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Losses of one pair, by the names of the TRL library. With d = log-ratio of the chosen completion minus that of the rejected one, where a
/// log-ratio is log pi(completion | prompt) - log ref(completion | prompt), and epsilon the label smoothing. A pair may have an offset m,
/// by which its chosen completion is to be ahead: beta d is then beta d - m (Amini et al. 2024; the margin of MODPO, Zhou et al.
/// 2023):
enum class DpoLossType {
  kSigmoid,      ///< -(1 - epsilon) log sigmoid(beta d) - epsilon log sigmoid(-beta d): DPO (Rafailov et al. 2023, eq. 7); with epsilon > 0
                 ///< conservative DPO (Mitchell 2023)
  kSigmoidNorm,  ///< the same of log-ratios per token: each divided by the length of its completion
  kHinge,        ///< max(0, 1 - beta d): SLiC (Zhao et al. 2023) on the pair's implicit rewards
  kIpo,          ///< (d - 1 / (2 beta))^2 with log-ratios per token: IPO (Azar et al. 2023, eq. 17), divided by lengths as in TRL
  kRobust,  ///< [-(1 - epsilon) log sigmoid(beta d) + epsilon log sigmoid(-beta d)] / (1 - 2 epsilon): unbiased where a share epsilon of
            ///< the pairs is labelled the wrong way round (Chowdhury et al. 2024, eq. 12)
};

struct DpoRule {
  DpoLossType type = DpoLossType::kSigmoid;
  double beta = 0.1;           ///< > 0
  double label_smoothing = 0;  ///< epsilon in [0, 0.5), of kSigmoid, kSigmoidNorm and kRobust
};

/// How a rule is written in a config: the options loss_type, beta and label_smoothing.
struct DpoRuleOptions {
  std::string loss_type = "sigmoid";
  double beta = 0.1;
  double label_smoothing = 0;

  void describe(OptionVisitor& visit);
  /// Throws Error on another loss_type, and on label smoothing of a loss that has none.
  DpoRule rule() const;
};

/// Log-probabilities of a pair's completions given its prompt: sums over their tokens.
struct PairLogprobs {
  double chosen = 0;
  double rejected = 0;
};

/// A pair's completions in tokens, at least one each.
struct PairLengths {
  std::size_t chosen = 1;
  std::size_t rejected = 1;
};

struct DpoLoss {
  double loss = 0;
  PairLogprobs slopes;         ///< derivatives of the loss with respect to the policy's log-probabilities
  double chosen_reward = 0;    ///< the implicit reward, beta times the log-ratio
  double rejected_reward = 0;  ///< likewise
  double margin() const { return chosen_reward - rejected_reward; }
};

/// The loss of one pair with an offset, which kIpo passes over.
DpoLoss dpo_loss(const DpoRule& rule, const PairLogprobs& policy, const PairLogprobs& reference, const PairLengths& lengths,
                 double offset = 0);

}  // namespace paretofl
