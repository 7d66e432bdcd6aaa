#pragma once

#include <memory>

#include "paretofl/classifiers/sequence_classifier.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/rewards/reward_text.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// A reward model: a sequence classifier with its own tokenizer, which encodes prompt and completion again, whatever
/// vocabulary they were written in, in the form that the model was trained on (reward_text.h). Range [0, 1]: the
/// logistic function of (score - center) / scale; raw scores are unbounded.
class ModelReward : public Reward {
 public:
  struct Options {
    std::string model;
    RewardTextOptions text = {};
    double center = 0;
    double scale = 1;
    std::int64_t batch_size = 16;
    std::string device = "cpu";

    void describe(OptionVisitor& visit);
  };

  /// Loads the folder's model and tokenizer. Throws Error if they are missing or don't fit each other or the options.
  explicit ModelReward(Options options);
  std::vector<double> scores(std::span<const Answer> answers) const override;

  /// What the classifier itself says.
  std::vector<double> raw_scores(std::span<const Answer> answers) const;

 private:
  Options options_;
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const SequenceClassifier> classifier_;
};

}  // namespace paretofl
