#pragma once

#include <memory>
#include <vector>

#include "paretofl/language/trainable_decoder.h"
#include "paretofl/local/parameter_training.h"

namespace paretofl {

/// Negative log-likelihood per token of windows of a text.
class NextTokenLoss : public TrainingLoss {
 public:
  NextTokenLoss(std::shared_ptr<const TrainableDecoder> model, std::vector<TokenIds> windows)
      : model_(std::move(model)), windows_(std::move(windows)) {}

  const std::shared_ptr<const Layout>& layout() const override { return model_->layout(); }
  std::size_t examples() const override { return windows_.size(); }
  double weight(std::size_t example) const override { return static_cast<double>(windows_[example].size() - 1); }
  double sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const override;

  /// Mean over all windows' tokens.
  double mean(std::span<const float> theta, ThreadPool& pool) const;
  double tokens() const;  ///< that are predicted

 private:
  std::shared_ptr<const TrainableDecoder> model_;
  std::vector<TokenIds> windows_;
};

/// A preferred and another sequence with the same prompt.
struct RankedSequences {
  TokenIds chosen;
  TokenIds rejected;
};

/// The loss of reward models (Bradley and Terry 1952; Ouyang et al. 2022, equation 1):
///   -log sigmoid(s_chosen - s_rejected - margin) + centering (s_chosen + s_rejected)^2,
/// the last term (Eisenstein et al. 2023) keeping scores about zero, which pairs alone leave open.
class PairLoss : public TrainingLoss {
 public:
  struct Options {
    double margin = 0;
    double centering = 0.01;

    void describe(OptionVisitor& visit);
  };

  PairLoss(const Options& options, std::shared_ptr<const TrainableDecoder> model, std::vector<RankedSequences> pairs)
      : options_(options), model_(std::move(model)), pairs_(std::move(pairs)) {}

  const std::shared_ptr<const Layout>& layout() const override { return model_->layout(); }
  std::size_t examples() const override { return pairs_.size(); }
  double weight(std::size_t) const override { return 1; }
  double sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const override;

 private:
  Options options_;
  std::shared_ptr<const TrainableDecoder> model_;
  std::vector<RankedSequences> pairs_;
};

/// How well scores tell which sequence of a pair was preferred.
struct RankingFigures {
  std::size_t pairs = 0;
  double loss = 0;             ///< mean -log sigmoid(s_chosen - s_rejected)
  double accuracy = 0;         ///< share of pairs whose chosen sequence scores higher; a tie is half a pair
  double longer_accuracy = 0;  ///< the same of a score that is the sequence's length in tokens
  double mean_score = 0;       ///< of all sequences
  double score_deviation = 0;  ///< standard deviation of the scores over all sequences
};

RankingFigures ranking_figures(const TrainableDecoder& model, std::span<const RankedSequences> pairs, std::span<const float> theta,
                               ThreadPool& pool);

}  // namespace paretofl
