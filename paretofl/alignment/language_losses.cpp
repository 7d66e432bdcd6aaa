#include "paretofl/alignment/language_losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace paretofl {
namespace {

constexpr std::size_t kExamplesAtOnce = 8;  // of an evaluation

// log(1 + e^x) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double logistic(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

// Calls body(first, count) for blocks of `size` examples.
void for_each_block(std::size_t size, ThreadPool& pool,
                    const std::function<void(std::size_t block, std::size_t first, std::size_t count)>& body) {
  pool.for_each((size + kExamplesAtOnce - 1) / kExamplesAtOnce, [&](std::size_t block) {
    const std::size_t first = block * kExamplesAtOnce;
    body(block, first, std::min(kExamplesAtOnce, size - first));
  });
}

double share_above(double chosen, double rejected) { return chosen > rejected ? 1 : chosen == rejected ? 0.5 : 0; }

}  // namespace

double NextTokenLoss::sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const {
  std::vector<TokenIds> windows;
  for (const std::size_t example : examples) windows.push_back(windows_[example]);
  return model_->next_token_loss(windows, theta, gradient);
}

double NextTokenLoss::mean(std::span<const float> theta, ThreadPool& pool) const {
  std::vector<double> sums((windows_.size() + kExamplesAtOnce - 1) / kExamplesAtOnce);
  for_each_block(windows_.size(), pool, [&](std::size_t block, std::size_t first, std::size_t count) {
    sums[block] = model_->next_token_loss(std::span(windows_).subspan(first, count), theta, {});
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / tokens();
}

double NextTokenLoss::tokens() const {
  double tokens = 0;
  for (std::size_t i = 0; i < windows_.size(); ++i) tokens += weight(i);
  return tokens;
}

void PairLoss::Options::describe(OptionVisitor& visit) {
  visit.real("margin", margin, 0, kInfinity, "by how much the chosen sequence should score higher");
  visit.real("centering", centering, 0, kInfinity, "weight of the squared sum of a pair's scores, which keeps scores near zero");
}

double PairLoss::sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const {
  std::vector<TokenIds> sequences;  // chosen, rejected, chosen, ...
  for (const std::size_t example : examples) {
    sequences.push_back(pairs_[example].chosen);
    sequences.push_back(pairs_[example].rejected);
  }
  double loss = 0;
  const auto losses = [&](std::span<const double> scores, std::span<double> slopes) {
    for (std::size_t i = 0; i < scores.size(); i += 2) {
      const double lead = scores[i] - scores[i + 1] - options_.margin, both = scores[i] + scores[i + 1];
      loss += softplus(-lead) + options_.centering * both * both;
      const double pull = -logistic(-lead), center = 2 * options_.centering * both;
      slopes[i] = pull + center;
      slopes[i + 1] = -pull + center;
    }
  };
  model_->scores(sequences, theta, losses, gradient);
  return loss;
}

RankingFigures ranking_figures(const TrainableDecoder& model, std::span<const RankedSequences> pairs, std::span<const float> theta,
                               ThreadPool& pool) {
  std::vector<double> scores(2 * pairs.size());  // chosen, rejected, chosen, ...
  for_each_block(pairs.size(), pool, [&](std::size_t, std::size_t first, std::size_t count) {
    std::vector<TokenIds> sequences;
    for (const RankedSequences& pair : pairs.subspan(first, count)) {
      sequences.push_back(pair.chosen);
      sequences.push_back(pair.rejected);
    }
    const std::vector<double> part = model.scores(sequences, theta, {}, {});
    std::copy(part.begin(), part.end(), scores.begin() + static_cast<std::ptrdiff_t>(2 * first));
  });
  RankingFigures figures;
  figures.pairs = pairs.size();
  const auto count = static_cast<double>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double chosen = scores[2 * i], rejected = scores[2 * i + 1];
    figures.loss += softplus(rejected - chosen) / count;
    figures.accuracy += share_above(chosen, rejected) / count;
    figures.longer_accuracy +=
        share_above(static_cast<double>(pairs[i].chosen.size()), static_cast<double>(pairs[i].rejected.size())) / count;
    figures.mean_score += (chosen + rejected) / (2 * count);
  }
  for (const double score : scores) figures.score_deviation += (score - figures.mean_score) * (score - figures.mean_score) / (2 * count);
  figures.score_deviation = std::sqrt(figures.score_deviation);
  return figures;
}

}  // namespace paretofl
