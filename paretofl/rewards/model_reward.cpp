#include "paretofl/rewards/model_reward.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

void ModelReward::Options::describe(OptionVisitor& visit) {
  visit.text("model", model, "folder of the reward model: config.json, model.safetensors and a tokenizer");
  text.describe(visit);
  visit.real("center", center, -kInfinity, kInfinity, "raw score that becomes 1/2");
  visit.real("scale", scale, 1e-9, kInfinity, "difference of raw scores that is one unit of the logistic function");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "number of texts scored at a time");
  visit.text("device", device, "device to compute on: cpu, cuda or cuda:N");
}

ModelReward::ModelReward(Options options) : options_(std::move(options)) {
  expect(!options_.model.empty(), "reward_model: expected the folder of a model, found none");
  options_.text.check();
  tokenizer_ = load_tokenizer(options_.model);
  classifier_ = load_sequence_classifier(options_.model, {.device = options_.device});
  expect(static_cast<std::int64_t>(tokenizer_->vocabulary_size()) <= classifier_->config().vocab_size,
         "reward_model: expected a tokenizer of at most {} tokens in {}, found {}", classifier_->config().vocab_size, options_.model,
         tokenizer_->vocabulary_size());
  if (options_.text.pair) tokenizer_->around_pair();  // throws where the vocabulary has no pairs
}

std::vector<double> ModelReward::raw_scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  const auto batch_size = static_cast<std::size_t>(options_.batch_size);
  const auto most = static_cast<std::size_t>(classifier_->config().max_position_embeddings);
  for (std::size_t first = 0; first < answers.size(); first += batch_size) {
    std::vector<TokenIds> batch;
    for (const Answer& answer : answers.subspan(first, std::min(batch_size, answers.size() - first))) {
      batch.push_back(reward_tokens(*tokenizer_, answer, options_.text, most));
    }
    const std::vector<double> part = classifier_->score(batch);
    scores.insert(scores.end(), part.begin(), part.end());
  }
  return scores;
}

std::vector<double> ModelReward::scores(std::span<const Answer> answers) const {
  std::vector<double> scores = raw_scores(answers);
  for (double& score : scores) {
    expect(std::isfinite(score), "reward_model: expected finite scores from {}, found {}", options_.model, score);
    score = 1 / (1 + std::exp(-(score - options_.center) / options_.scale));
  }
  return scores;
}

}  // namespace paretofl
