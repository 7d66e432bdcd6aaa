#pragma once

#include <map>
#include <span>
#include <string>

#include "paretofl/alignment/dpo_loss.h"
#include "paretofl/alignment/referenced_pairs.h"
#include "paretofl/core/thread_pool.h"

namespace paretofl {

/// Means over pairs of what dpo_loss says of each under an adapter [d], by name: "loss"; "accuracy", the share of pairs whose chosen
/// completion has the larger implicit reward, a tie being half a pair, so that the reference itself has 0.5; "margin", the chosen
/// completion's implicit reward minus the rejected one's; and "chosen_reward" and "rejected_reward". Spread over the pool; the result does
/// not depend on the number of threads. There is at least one pair.
std::map<std::string, double> pair_figures(const DpoRule& rule, const ReferencedPairs& pairs, std::span<const float> theta,
                                           ThreadPool& pool);

}  // namespace paretofl
