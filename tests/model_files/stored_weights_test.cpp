#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "paretofl/classifiers/sequence_classifier.h"
#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/deberta_slices.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/model_files/stored_head.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using Numbers = std::map<std::string, std::vector<float>>;

/// A model's folder whose tensors are of random numbers, but for those that a test changes before it is written.
class ModelFiles {
 public:
  ModelFiles(const std::string& name, const LanguageModelConfig& config, const std::vector<Slice>& slices)
      : folder_(testing::TempDir() + name), config_(config), slices_(slices) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (const Slice& slice : slices_) {
      Random random({4}, slice.name);
      std::int64_t count = 1;
      for (const std::int64_t extent : slice.shape) count *= extent;
      for (std::int64_t i = 0; i < count; ++i) numbers[slice.name].push_back(static_cast<float>(0.3 * random.normal()));
    }
  }

  const fs::path& write(const std::string& architecture, std::map<std::string, StoredTensor, std::less<>> others = {}) const {
    for (const Slice& slice : slices_) {
      const std::string name = without_prefix ? slice.name.substr(slice.name.find('.') + 1) : slice.name;
      others[name] = {.type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(std::span(numbers.at(slice.name)))};
    }
    write_safetensors(folder_ / "model.safetensors", others);
    write_language_model_config(config_, architecture, folder_);
    return folder_;
  }

  Numbers numbers;
  bool without_prefix = false;

 private:
  fs::path folder_;
  LanguageModelConfig config_;
  std::vector<Slice> slices_;
};

std::vector<float> logits_of(const fs::path& folder) { return load_causal_lm(folder, {.rank = 0})->logits(TokenIds{3, 1, 4, 15}, {}); }

TEST(StoredWeights, AStoredHeadThatDiffersFromTiedEmbeddingsCounts) {
  LanguageModelConfig config = tiny_config("llama");
  ModelFiles files("stored_head", config, decoder_slices(config));
  const std::vector<float> own = logits_of(files.write("LlamaForCausalLM"));
  config.tie_word_embeddings = true;
  ModelFiles tied("stored_head_tied", config, decoder_slices(config));
  const std::vector<float> shared = logits_of(tied.write("LlamaForCausalLM"));
  EXPECT_NE(own, shared);
  const auto with_head = [&](std::vector<float> head) {
    return tied.write("LlamaForCausalLM",
                      {{"lm_head.weight", {.type = TensorType::kFloat32, .shape = {50, 24}, .bytes = std::as_bytes(std::span(head))}}});
  };
  const fs::path folder = with_head(files.numbers.at("lm_head.weight"));
  EXPECT_EQ(logits_of(folder), own);
  EXPECT_FALSE(with_stored_head(config, folder).tie_word_embeddings);
  with_head(tied.numbers.at("model.embed_tokens.weight"));
  EXPECT_EQ(logits_of(folder), shared);
  EXPECT_TRUE(with_stored_head(config, folder).tie_word_embeddings);
  tied.write("LlamaForCausalLM", {{"lm_head.weight", {.type = TensorType::kFloat32, .shape = {0, 24}, .bytes = {}}}});
  EXPECT_THROW(logits_of(folder), Error);
}

TEST(StoredWeights, TensorsNobodyAsksForMayHaveAnyType) {
  const LanguageModelConfig config = tiny_config("llama");
  const ModelFiles files("unused_tensors", config, decoder_slices(config));
  const std::vector<float> expected = logits_of(files.write("LlamaForCausalLM"));
  const std::vector<std::byte> bytes(16);
  for (const auto& [type, count] : {std::pair{TensorType::kUint64, 2},
                                    {TensorType::kFloat8E4m3, 16},
                                    {TensorType::kComplex64, 2},
                                    {TensorType::kFloat4, 32},
                                    {TensorType::kUint16, 8}}) {
    EXPECT_EQ(logits_of(files.write("LlamaForCausalLM", {{"unused", {.type = type, .shape = {count}, .bytes = bytes}}})), expected);
  }
}

TEST(StoredWeights, MoreLayersOrAScoreAreOfAnotherModel) {
  for (const auto& [type, more] : {std::pair{"llama", "model.layers.9.extra"}, {"gpt2", "h.9.extra"}}) {
    const LanguageModelConfig config = tiny_config(type);
    const ModelFiles files(std::string("more_layers_") + type, config, decoder_slices(config));
    const std::vector<std::byte> bytes(8);
    const StoredTensor two{.type = TensorType::kFloat32, .shape = {2}, .bytes = bytes};
    const std::string architecture = std::string(type) == "gpt2" ? "GPT2LMHeadModel" : "LlamaForCausalLM";
    const std::string name = more;
    const auto logits_with = [&](const std::string& tensor) { return logits_of(files.write(architecture, {{tensor, two}})); };
    EXPECT_THAT([&] { logits_with(name); },
                testing::ThrowsMessage<Error>(testing::HasSubstr(fmt::format("layers that config.json tells, found {}", name))));
    EXPECT_THAT([&] { logits_with("score.weight"); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("expected a language model, found a classifier's")));
    EXPECT_NO_THROW(logits_with("extra.layers"));
  }
}

TEST(StoredWeights, OnlyTheFamilysFirstPartOfANameMayBeMissing) {
  const LanguageModelConfig config = tiny_config("gpt2");
  ModelFiles files("bare_names", config, decoder_slices(config));
  const std::vector<float> expected = logits_of(files.write("GPT2LMHeadModel"));
  files.without_prefix = true;
  EXPECT_EQ(logits_of(files.write("GPT2LMHeadModel")), expected);
  const LanguageModelConfig llama = tiny_config("llama");
  ModelFiles others("bare_head", llama, decoder_slices(llama));  // "weight" is nobody's head
  others.without_prefix = true;
  EXPECT_THROW(logits_of(others.write("LlamaForCausalLM")), Error);
}

std::vector<Slice> classifier_slices(const LanguageModelConfig& config) {
  std::vector<Slice> slices = decoder_slices(config, false);
  slices.push_back({.name = "score.weight", .shape = {1, config.hidden_size}, .range = {}});
  return slices;
}

TEST(StoredWeights, AScoreIsReadAtTheLastTokenThatIsNoPadding) {
  for (const std::string type : {"llama", "qwen2", "gpt2"}) {
    LanguageModelConfig config = tiny_config(type);
    config.pad_token_id = 7;
    config.eos_token_ids = {7};
    const ModelFiles files("padded_classifier_" + type, config, classifier_slices(config));
    const auto score = [folder = files.write("ForSequenceClassification")](const TokenIds& ids) {
      return load_sequence_classifier(folder)->score(std::vector<TokenIds>{{9, 9}, ids}).back();
    };
    EXPECT_NEAR(score({3, 1, 4, 7}), score({3, 1, 4}), 1e-6) << type;
    EXPECT_NEAR(score({3, 7, 4, 7, 7}), score({3, 7, 4}), 1e-6) << type;  // padding within a text counts as a token
    EXPECT_GT(std::abs(score({3, 7, 4}) - score({3, 4})), 1e-4) << type;
    EXPECT_NEAR(score({7, 7}), score({7}), 1e-6) << type;
    config.pad_token_id = {};
    const ModelFiles unpadded("padded_classifier_" + type, config, classifier_slices(config));
    unpadded.write("ForSequenceClassification");
    EXPECT_GT(std::abs(score({3, 1, 4, 7}) - score({3, 1, 4})), 1e-4) << type;
  }
}

TEST(StoredWeights, AClassifierOfTwoLabelsIsRefused) {
  const LanguageModelConfig config = tiny_config("llama");
  const fs::path folder = ModelFiles("two_labels", config, classifier_slices(config)).write("LlamaForCausalLM");  // writes no labels
  try {
    load_sequence_classifier(folder);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("expected a classifier of one label (id2label, num_labels), found 2"));
  }
}

LanguageModelConfig tiny_deberta() {
  LanguageModelConfig config = tiny_config("deberta-v2");
  config.num_key_value_heads = 4;
  config.attention_bias = true;
  config.position_buckets = 8;
  config.max_relative_positions = 64;
  config.hidden_act = "gelu";
  return config;
}

// With no pooler weights the score is the sum of the activations of its biases.
TEST(StoredWeights, DebertasPoolerHasAnActivationOfItsOwn) {
  const std::map<std::string, double (*)(double)> activations = {
      {"tanh", [](double x) { return std::tanh(x); }},
      {"relu", [](double x) { return std::max(x, 0.0); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"gelu", [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }},
      {"gelu_new", [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }}};
  for (const auto& [name, activate] : activations) {
    LanguageModelConfig config = tiny_deberta();
    config.pooler_hidden_act = name;
    ModelFiles files("deberta_pooler", config, deberta_slices(config));
    std::fill(files.numbers["pooler.dense.weight"].begin(), files.numbers["pooler.dense.weight"].end(), 0.0F);
    std::fill(files.numbers["classifier.weight"].begin(), files.numbers["classifier.weight"].end(), 1.0F);
    double expected = files.numbers["classifier.bias"][0];
    for (float& bias : files.numbers["pooler.dense.bias"]) expected += activate(bias *= 5);
    const auto classifier = load_sequence_classifier(files.write("DebertaV2ForSequenceClassification"), {.dtype = "float64"});
    EXPECT_NEAR(classifier->score(std::vector<TokenIds>{{1, 2, 3}})[0], expected, 1e-6) << name;
  }
}

TEST(StoredWeights, DebertasLayersHaveTheirActivation) {
  std::vector<double> scores;
  for (const char* name : {"gelu", "gelu_new", "silu"}) {
    LanguageModelConfig config = tiny_deberta();
    config.hidden_act = name;
    const ModelFiles files("deberta_layers", config, deberta_slices(config));
    scores.push_back(
        load_sequence_classifier(files.write("DebertaV2ForSequenceClassification"))->score(std::vector<TokenIds>{{1, 2, 3}})[0]);
  }
  EXPECT_GT(std::abs(scores[2] - scores[0]), 1e-3);
  EXPECT_GT(std::abs(scores[1] - scores[0]), 1e-8);
}

}  // namespace
}  // namespace paretofl
