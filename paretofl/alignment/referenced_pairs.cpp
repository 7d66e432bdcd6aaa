#include "paretofl/alignment/referenced_pairs.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace paretofl {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

PairLogprobs pair_logprobs(const CausalLm& model, const TokenPair& pair, std::span<const float> adapter) {
  const auto of_tokens = model.logprobs(std::vector{pair.chosen, pair.rejected}, adapter);
  const auto sum = [](const std::vector<float>& logprobs) { return std::accumulate(logprobs.begin(), logprobs.end(), 0.0); };
  return {sum(of_tokens[0]), sum(of_tokens[1])};
}

ReferencedPairs::ReferencedPairs(std::shared_ptr<const CausalLm> model, std::vector<TokenPair> pairs)
    : model_(std::move(model)), pairs_(std::move(pairs)), chosen_(pairs_.size()), rejected_(pairs_.size()) {
  for (std::atomic<double>& value : chosen_) value = kUnknown;
  for (std::atomic<double>& value : rejected_) value = kUnknown;
}

PairLogprobs ReferencedPairs::reference(std::size_t index) const {
  const PairLogprobs kept{chosen_[index], rejected_[index]};
  if (!std::isnan(kept.chosen) && !std::isnan(kept.rejected)) return kept;
  const PairLogprobs computed = pair_logprobs(*model_, pairs_[index], {});
  chosen_[index] = computed.chosen;
  rejected_[index] = computed.rejected;
  return computed;
}

}  // namespace paretofl
