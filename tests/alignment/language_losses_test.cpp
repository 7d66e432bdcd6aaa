#include "paretofl/alignment/language_losses.h"

#include <gmock/gmock.h>

#include <cmath>

namespace paretofl {
namespace {

LanguageModelConfig tiny() {
  LanguageModelConfig config;
  config.vocab_size = 12;
  config.hidden_size = 16;
  config.intermediate_size = 24;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 32;
  config.tie_word_embeddings = true;
  config.initializer_range = 0.1;
  return config;
}

const TokenIds kVerse = {1, 7, 3, 9, 9, 4, 11, 5, 3, 10, 2};

std::vector<float> fresh(const TrainableDecoder& model) {
  std::vector<float> theta(model.layout()->size());
  model.initialize(Random({.seed = 1}, "parameters"), theta);
  return theta;
}

std::vector<float> train(const TrainingLoss& loss, std::vector<float> theta, std::int64_t epochs, std::size_t threads = 1) {
  ThreadPool pool(threads);
  const TrainingOptions options = {.epochs = epochs, .batch = 8, .part = 4, .learning_rate = 0.02, .weight_decay = 0.01};
  ParameterTraining training(options, loss, 1, pool, std::move(theta));
  while (training.steps_done() < training.steps()) training.advance();
  return {training.theta().begin(), training.theta().end()};
}

TEST(NextTokenLoss, FallsFromThatOfAGuessToThatOfARepeatedVerse) {
  const auto model = make_trainable_decoder(tiny(), DecoderHead::kLanguage);
  const NextTokenLoss loss(model, std::vector<TokenIds>(8, kVerse));
  ThreadPool pool(1);
  const std::vector<float> start = fresh(*model);
  EXPECT_EQ(loss.tokens(), 80);
  EXPECT_NEAR(loss.mean(start, pool), std::log(12), 0.3);
  const std::vector<float> theta = train(loss, start, 60);
  EXPECT_LT(loss.mean(theta, pool), 0.05);

  // Read greedily, the model says the verse by heart: no other token is likelier anywhere.
  for (std::size_t t = 1; t < kVerse.size(); ++t) {
    TokenIds prefix(kVerse.begin(), kVerse.begin() + static_cast<std::ptrdiff_t>(t) + 1);
    const TokenIds shorter(prefix.begin(), prefix.end() - 1);
    const double before = t > 1 ? model->next_token_loss({&shorter, 1}, theta, {}) : 0;
    EXPECT_LT(model->next_token_loss({&prefix, 1}, theta, {}) - before, std::log(2)) << t;
  }
}

TEST(NextTokenLoss, ThreadsDoNotChangeABit) {
  const auto model = make_trainable_decoder(tiny(), DecoderHead::kLanguage);
  std::vector<TokenIds> windows;
  for (TokenId i = 0; i < 11; ++i) windows.push_back({1, i, TokenId{11} - i, 5, i});
  const NextTokenLoss loss(model, windows);
  EXPECT_EQ(train(loss, fresh(*model), 3, 1), train(loss, fresh(*model), 3, 2));
}

// Texts with token 7 somewhere are preferred, whatever their length.
std::vector<RankedSequences> synthetic_pairs(std::size_t count, std::uint64_t seed) {
  std::vector<RankedSequences> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    Random random = Random({.seed = seed}, "pairs").substream("pair", i);
    const auto text = [&random](bool good) {
      TokenIds ids(3 + random.below(8));
      for (TokenId& id : ids) {
        id = static_cast<TokenId>(random.below(11));
        if (id == 7) id = 11;
      }
      if (good) ids[random.below(ids.size())] = 7;
      return ids;
    };
    pairs.push_back({.chosen = text(true), .rejected = text(false)});
  }
  return pairs;
}

TEST(PairLoss, ARewardModelLearnsASyntheticPreference) {
  const auto model = make_trainable_decoder(tiny(), DecoderHead::kScore);
  const PairLoss loss({}, model, synthetic_pairs(64, 1));
  const std::vector<RankedSequences> unseen = synthetic_pairs(64, 2);
  ThreadPool pool(1);
  const std::vector<float> start = fresh(*model);
  const RankingFigures before = ranking_figures(*model, unseen, start, pool);
  EXPECT_NEAR(before.loss, std::log(2), 0.2);
  const RankingFigures after = ranking_figures(*model, unseen, train(loss, start, 20), pool);
  EXPECT_GT(after.accuracy, 0.95);
  EXPECT_LT(after.loss, 0.25);
  EXPECT_NEAR(after.longer_accuracy, 0.5, 0.2);
  EXPECT_NEAR(after.mean_score, 0, 1);
  EXPECT_GT(after.score_deviation, 0.5);
}

TEST(PairLoss, IsItsEquation) {
  const auto model = make_trainable_decoder(tiny(), DecoderHead::kScore, {.dtype = "float64"});
  std::vector<float> theta = fresh(*model);
  for (float& value : theta) value *= 3;
  const std::vector<RankedSequences> pairs = synthetic_pairs(3, 4);
  const PairLoss::Options options = {.margin = 0.7, .centering = 0.2};
  double expected = 0, unranked = 0;
  for (const RankedSequences& pair : pairs) {
    const std::vector<double> s = model->scores(std::vector<TokenIds>{pair.chosen, pair.rejected}, theta, {}, {});
    expected += std::log(1 + std::exp(-(s[0] - s[1] - 0.7))) + 0.2 * (s[0] + s[1]) * (s[0] + s[1]);
    unranked += std::log(1 + std::exp(s[1] - s[0])) / 3;
  }
  std::vector<float> gradient(theta.size());
  EXPECT_NEAR(PairLoss(options, model, pairs).sum(std::vector<std::size_t>{0, 1, 2}, theta, gradient), expected, 1e-5);
  ThreadPool pool(2);
  EXPECT_NEAR(ranking_figures(*model, pairs, theta, pool).loss, unranked, 1e-5);

  // Along its gradient the loss falls at the gradient's squared norm.
  double square = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    square += static_cast<double>(gradient[i]) * gradient[i];
    theta[i] -= 1e-5F * gradient[i];
  }
  const double lower = PairLoss(options, model, pairs).sum(std::vector<std::size_t>{0, 1, 2}, theta, gradient);
  EXPECT_NEAR((expected - lower) / (1e-5 * square), 1, 0.05);
}

}  // namespace
}  // namespace paretofl
