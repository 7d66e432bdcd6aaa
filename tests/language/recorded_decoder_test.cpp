// Against what the reference library computes with small decoders of every family and kind of rope, whose parameters are formulas
// (scripts/record_decoders.py).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/safetensors.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

constexpr double kNear = 1e-5;

const nlohmann::json& recorded_decoders() {
  static const nlohmann::json kCases = nlohmann::json::parse(std::ifstream(source_path() + "/tests/language/recorded_decoders.json"));
  return kCases;
}

/// The numbers of a tensor by its name, as in the script.
std::vector<float> formula(const Slice& slice, bool gemma) {
  double start = 0;
  for (const char c : slice.name) start += c;
  const bool norm = slice.name.find("norm") != std::string::npos;
  const double scale = norm || slice.name.find("lora") != std::string::npos ? 0.2 : slice.name.ends_with("bias") ? 0.1 : 0.4;
  std::int64_t count = 1;
  for (const std::int64_t extent : slice.shape) count *= extent;
  std::vector<float> values;
  for (std::int64_t n = 0; n < count; ++n) {
    const auto i = static_cast<double>(n);
    values.push_back(static_cast<float>((norm && !gemma ? 1 : 0) + scale * std::sin(std::fmod(start, 1000) + 0.7 * i + 0.013 * i * i)));
  }
  return values;
}

class RecordedDecoder : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    recorded_ = recorded_decoders()[GetParam()];
    ids_ = recorded_["ids"].get<TokenIds>();
    folder_ = testing::TempDir() + "recorded_decoder";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "config.json") << recorded_["config"].dump();
    const LanguageModelConfig config = read_language_model_config(folder_);
    gemma_ = config.model_type.starts_with("gemma");
    std::map<std::string, std::vector<float>> numbers;
    std::map<std::string, StoredTensor, std::less<>> tensors;
    for (const Slice& slice : decoder_slices(config)) {
      const std::vector<float>& values = numbers[slice.name] = formula(slice, gemma_);
      tensors[slice.name] = {.type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(std::span(values))};
    }
    write_safetensors(folder_ / "model.safetensors", tensors);
  }

  void load(const char* dtype) {
    model_ = load_causal_lm(folder_, {.rank = 2, .alpha = 3, .dropout = 0, .projections = {"all-linear"}}, {.dtype = dtype});
    adapter_.clear();
    for (const Slice& slice : model_->adapter_layout()->slices()) {
      const std::vector<float> values = formula(slice, gemma_);
      adapter_.insert(adapter_.end(), values.begin(), values.end());
    }
  }

  std::size_t completion() const { return recorded_["completion"].get<std::size_t>(); }

  nlohmann::json recorded_;
  TokenIds ids_;
  bool gemma_ = false;
  std::filesystem::path folder_;
  std::shared_ptr<const CausalLm> model_;
  std::vector<float> adapter_;
};

TEST_P(RecordedDecoder, HasTheLogits) {
  for (const char* dtype : {"float32", "float64"}) {
    load(dtype);
    const std::vector<float> logits = model_->logits(ids_, adapter_);
    for (const auto& [token, expected] : recorded_["logits"].items()) {
      const std::size_t first = std::stoul(token) * expected.size();
      for (std::size_t v = 0; v < expected.size(); ++v) {
        EXPECT_NEAR(logits[first + v], expected[v].get<double>(), kNear) << dtype << ", logit " << v << " after token " << token;
      }
    }
  }
}

TEST_P(RecordedDecoder, HasTheGradientOfItsAdapter) {
  for (const char* dtype : {"float32", "float64"}) {
    load(dtype);
    double loss = 0;
    const auto mean = [&](const CompletionTokens& tokens, std::span<double> gradients) {
      const double share = 1 / static_cast<double>(tokens.logprobs.size());
      for (const double logprob : tokens.logprobs) loss -= share * logprob;
      std::fill(gradients.begin(), gradients.end(), -share);
    };
    std::vector<float> gradient(adapter_.size());
    const TokenSequence sequence{.ids = ids_, .completion_length = completion()};
    model_->jacobian({&sequence, 1}, adapter_, nullptr, mean, gradient);
    EXPECT_NEAR(loss, recorded_["loss"].get<double>(), kNear);
    std::map<std::string, double> found;
    for (const Slice& slice : model_->adapter_layout()->slices()) {
      const std::size_t end = slice.name.rfind(".weight");
      const std::size_t matrix = slice.name.rfind('.', slice.name.rfind('.', end - 1) - 1) + 1;  // of "q_proj.lora_A"
      double& sum = found[slice.name.substr(matrix, end - matrix)];
      for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) sum += static_cast<double>(gradient[i]) * adapter_[i];
    }
    ASSERT_EQ(found.size(), recorded_["gradients"].size());
    for (const auto& [matrix, expected] : recorded_["gradients"].items()) {
      EXPECT_NEAR(found[matrix], expected.get<double>(), 2 * kNear) << dtype << " " << matrix;
    }
  }
}

// In float32 the tokens behind the prompt are computed by kernels of their own, in float64 by the library with a cache.
TEST_P(RecordedDecoder, GoesOnAsTheReference) {
  for (const char* dtype : {"float32", "float64"}) {
    load(dtype);
    const TokenIds beginning(ids_.begin(), ids_.begin() + recorded_["beginning"].get<std::ptrdiff_t>());
    const auto continuation = recorded_["continuation"].get<TokenIds>();
    const Sampling greedy{.max_new_tokens = static_cast<std::int64_t>(continuation.size()), .temperature = 0, .stop = {}};
    EXPECT_EQ(model_->generate({&beginning, 1}, adapter_, greedy, {}, Random({1}, "test"))[0].ids, continuation) << dtype;
    TokenIds whole = beginning;
    whole.insert(whole.end(), continuation.begin(), continuation.end());
    const TokenSequence sequence{.ids = whole, .completion_length = continuation.size()};
    const auto logprobs = model_->logprobs({&sequence, 1}, adapter_)[0];
    const auto drawn = model_->generate({&beginning, 1}, adapter_, greedy, {}, Random({1}, "test"))[0].logprobs;
    for (std::size_t t = 0; t < logprobs.size(); ++t) EXPECT_NEAR(drawn[t], logprobs[t], kNear) << dtype << " token " << t;
  }
}

std::vector<std::string> names_of_recorded() {
  std::vector<std::string> names;
  for (const auto& recorded : recorded_decoders().items()) names.push_back(recorded.key());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Families, RecordedDecoder, testing::ValuesIn(names_of_recorded()));

}  // namespace
}  // namespace paretofl
