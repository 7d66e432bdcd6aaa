#include "paretofl/alignment/dpo_oracle.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/local/minibatch.h"

namespace paretofl {

DpoOracle::DpoOracle(std::shared_ptr<const CausalLm> model, std::vector<HeldPairs> dimensions, const DpoOptions& options)
    : model_(std::move(model)),
      dimensions_(std::move(dimensions)),
      batch_size_(static_cast<std::size_t>(options.batch_size)),
      rule_(options.loss.rule()) {
  expect(num_samples() > 0, "dpo: expected a client with preference pairs, found none");
}

double DpoOracle::num_samples() const {
  double count = 0;
  for (const HeldPairs& held : dimensions_) count += static_cast<double>(held.numbers.size());
  return count;
}

double DpoOracle::objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                     std::span<float> gradient) const {
  const HeldPairs& held = dimensions_[objective];
  if (held.numbers.empty()) {
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    return 0;
  }
  const Draw own{draw.stream.substream("dimension", objective), draw.step};
  const auto batch = minibatch(held.numbers, std::min(batch_size_, held.numbers.size()), own);
  std::vector<TokenSequence> sequences;
  std::vector<PairLogprobs> references;
  for (const std::uint32_t number : batch) {
    sequences.push_back(held.pairs->pair(number).chosen);
    sequences.push_back(held.pairs->pair(number).rejected);
    references.push_back(held.pairs->reference(number));
  }
  const auto count = static_cast<double>(batch.size());
  const Random dropout = own.stream.substream("dropout", static_cast<std::uint64_t>(draw.step));
  double loss = 0;
  model_->jacobian(
      sequences, theta, &dropout,
      [&](const CompletionTokens& tokens, std::span<double> gradients) {
        std::size_t begin = 0;
        for (std::size_t p = 0; p < batch.size(); ++p) {
          const TokenPair& pair = held.pairs->pair(batch[p]);
          const PairLengths lengths = pair.lengths();
          const std::size_t middle = begin + lengths.chosen;
          const std::size_t end = middle + lengths.rejected;
          PairLogprobs policy;
          for (std::size_t i = begin; i < middle; ++i) policy.chosen += tokens.logprobs[i];
          for (std::size_t i = middle; i < end; ++i) policy.rejected += tokens.logprobs[i];
          const DpoLoss of_pair = dpo_loss(rule_, policy, references[p], lengths, pair.offset);
          loss += of_pair.loss / count;
          for (std::size_t i = begin; i < middle; ++i) gradients[i] = of_pair.slopes.chosen / count;
          for (std::size_t i = middle; i < end; ++i) gradients[i] = of_pair.slopes.rejected / count;
          begin = end;
        }
      },
      gradient);
  return loss;
}

void DpoOracle::jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const {
  for (std::size_t k = 0; k < num_objectives(); ++k) {
    losses[k] = objective_gradient(theta, k, draw, jacobian.subspan(k * theta.size(), theta.size()));
  }
}

void DpoOracle::weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                  std::span<double> losses, std::span<float> gradient) const {
  std::vector<float> row(theta.size());
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  for (std::size_t k = 0; k < num_objectives(); ++k) {
    losses[k] = objective_gradient(theta, k, draw, row);
    const auto weight = static_cast<float>(objective_weights[k]);
    for (std::size_t i = 0; i < row.size(); ++i) gradient[i] += weight * row[i];
  }
}

std::vector<double> DpoOracle::local_losses(std::span<const float> theta) const {
  std::vector<double> losses(num_objectives());
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const HeldPairs& held = dimensions_[k];
    for (const std::uint32_t number : held.numbers) {
      const TokenPair& pair = held.pairs->pair(number);
      const DpoLoss of_pair =
          dpo_loss(rule_, pair_logprobs(*model_, pair, theta), held.pairs->reference(number), pair.lengths(), pair.offset);
      losses[k] += of_pair.loss / static_cast<double>(held.numbers.size());
    }
  }
  return losses;
}

}  // namespace paretofl
