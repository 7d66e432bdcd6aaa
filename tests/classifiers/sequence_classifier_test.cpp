#include "paretofl/classifiers/sequence_classifier.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

constexpr double kScoreTolerance = 1e-4;  // of float32, as the recorded values' own description says

nlohmann::json recorded(const std::string& model) {
  return nlohmann::json::parse(std::ifstream(golden_folder() / "transformers" / model / "golden.json"));
}

void expect_recorded_scores(const std::string& model) {
  const auto classifier = load_sequence_classifier(golden_folder() / "transformers" / model);
  const nlohmann::json golden = recorded(model);
  const auto sequences = golden["sequences"].get<std::vector<TokenIds>>();
  const std::vector<double> together = classifier->score(sequences);
  ASSERT_EQ(together.size(), sequences.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    EXPECT_NEAR(together[i], golden["scores"][i].get<double>(), kScoreTolerance) << i;
    EXPECT_NEAR(classifier->score({&sequences[i], 1})[0], golden["scores_unpadded"][i].get<double>(), kScoreTolerance) << i;
  }
}

TEST(SequenceClassifier, ScoresOfDebertaAreTheRecordedOnes) {
  PARETOFL_NEEDS_DATA("../golden/transformers/deberta-v3-reward-a");
  expect_recorded_scores("deberta-v3-reward-a");
}

TEST(SequenceClassifier, ScoresOfGpt2AreTheRecordedOnes) {
  PARETOFL_NEEDS_DATA("../golden/transformers/gpt2-reward-a");
  expect_recorded_scores("gpt2-reward-a");
}

TEST(SequenceClassifier, AScoreDependsOnNoOtherSequence) {
  PARETOFL_NEEDS_DATA("../golden/transformers/deberta-v3-reward-a");
  for (const std::string model : {"deberta-v3-reward-a", "gpt2-reward-a"}) {
    const auto classifier = load_sequence_classifier(golden_folder() / "transformers" / model, {.dtype = "float64"});
    auto sequences = recorded(model)["sequences"].get<std::vector<TokenIds>>();
    const std::vector<double> before = classifier->score(sequences);
    for (std::size_t copy = 0; copy < 60; ++copy) sequences.push_back(sequences[copy == 59 ? 0 : 4]);  // several passes
    sequences[0][1] = (sequences[0][1] + 1) % 100;
    const std::vector<double> after = classifier->score(sequences);
    EXPECT_GT(std::abs(after[0] - before[0]), 1e-6) << model;
    for (std::size_t i = 1; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-10) << model << " " << i;
    EXPECT_NEAR(after.back(), before[0], 1e-10) << model;  // in another pass
  }
}

TEST(SequenceClassifier, RefusesWhatItCannotRead) {
  PARETOFL_NEEDS_DATA("../golden/transformers/deberta-v3-reward-a");
  const auto folder = golden_folder() / "transformers" / "deberta-v3-reward-a";
  const auto classifier = load_sequence_classifier(folder);
  EXPECT_THAT(classifier->score({}), testing::IsEmpty());
  for (const TokenIds& wrong : {TokenIds{}, TokenIds{-1}, TokenIds{160}, TokenIds(129, 5)}) {
    EXPECT_THROW(classifier->score(std::vector<TokenIds>{{1, 2}, wrong}), Error);
  }
  EXPECT_THROW(load_sequence_classifier(folder, {.dtype = "float17"}), Error);
  EXPECT_THROW(load_sequence_classifier(folder, {.device = "quantum"}), Error);
  EXPECT_THROW(load_sequence_classifier(folder / "nowhere"), Error);
  EXPECT_THROW(load_sequence_classifier(golden_folder() / "transformers" / "gpt2-a"), Error);  // a language model, no classifier
}

}  // namespace
}  // namespace paretofl
