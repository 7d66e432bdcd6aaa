#include "paretofl/alignment/pair_figures.h"

#include <vector>

namespace paretofl {

std::map<std::string, double> pair_figures(const DpoRule& rule, const ReferencedPairs& pairs, std::span<const float> theta,
                                           ThreadPool& pool) {
  std::vector<DpoLoss> losses(pairs.size());
  pool.for_each(losses.size(), [&](std::size_t i) {
    const TokenPair& pair = pairs.pair(i);
    losses[i] = dpo_loss(rule, pair_logprobs(pairs.model(), pair, theta), pairs.reference(i), pair.lengths(), pair.offset);
  });
  std::map<std::string, double> means;
  for (const DpoLoss& loss : losses) {
    means["loss"] += loss.loss;
    means["accuracy"] += loss.margin() > 0 ? 1 : loss.margin() == 0 ? 0.5 : 0;
    means["margin"] += loss.margin();
    means["chosen_reward"] += loss.chosen_reward;
    means["rejected_reward"] += loss.rejected_reward;
  }
  for (auto& [figure, mean] : means) mean /= static_cast<double>(losses.size());
  return means;
}

}  // namespace paretofl
