// Gradients of an adapter against those that the reference library computed: next-token, PPO and GRPO losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/alignment/grpo_loss.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/model_files/stored_numbers.h"
#include "tests/language/golden_decoder.h"

namespace paretofl {
namespace {

/// A recorded model with its adapter.
struct Recorded {
  explicit Recorded(const std::string& name)
      : files(name),
        model(load_causal_lm(files.folder, read_peft_options(files.folder / "lora"))),
        adapter(read_peft_adapter(files.folder / "lora", *model->adapter_layout())) {}

  GoldenDecoder files;
  std::shared_ptr<const CausalLm> model;
  std::vector<float> adapter;
};

void expect_gradient(const Layout& layout, std::span<const float> found, const std::filesystem::path& recording) {
  const Safetensors file(recording);
  for (const Slice& slice : layout.slices()) {
    const std::vector<float> expected = to_float32(file.tensor(slice.name), slice.name);
    ASSERT_EQ(expected.size(), slice.range.size());
    double largest = 0;
    for (const float x : expected) largest = std::max(largest, std::abs(static_cast<double>(x)));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found[slice.range.begin + i], expected[i], 1e-4 * largest + 1e-5) << slice.name << " " << i;
    }
  }
}

class NextTokenGradient : public testing::TestWithParam<const char*> {};

TEST_P(NextTokenGradient, IsThatOfTheReference) {
  PARETOFL_NEEDS_GOLDEN_MODELS();
  const Recorded recorded(GetParam());
  const auto& golden = recorded.files.golden["lora"]["gradient"];
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < golden["lengths"].size(); ++b) {
    auto ids = golden["input_ids"][b].get<TokenIds>();
    ids.resize(golden["lengths"][b].get<std::size_t>());
    sequences.push_back({.ids = ids, .completion_length = ids.size() - 1});
  }
  std::vector<float> gradient(recorded.adapter.size());
  double loss = 0;
  const auto mean = [&](const CompletionTokens& tokens, std::span<double> gradients) {
    const double share = 1 / static_cast<double>(tokens.logprobs.size());
    for (const double logprob : tokens.logprobs) loss -= share * logprob;
    std::fill(gradients.begin(), gradients.end(), -share);
  };
  recorded.model->jacobian(sequences, recorded.adapter, nullptr, mean, gradient);
  EXPECT_NEAR(loss, golden["loss"].get<double>(), 1e-4);
  expect_gradient(*recorded.model->adapter_layout(), gradient, recorded.files.folder / golden["file"].get<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Decoders, NextTokenGradient, testing::Values("llama-a", "qwen2-a"));

/// A recorded case's numbers over the completion tokens [N] of its sequences.
struct PolicyCase {
  PolicyCase(const nlohmann::json& golden, const std::string& name) {
    const auto& recording = golden["cases"][name];
    for (std::size_t b = 0; b < golden["prompt_lengths"].size(); ++b) {
      const auto prompt = golden["prompt_lengths"][b].get<std::size_t>();
      lengths.push_back(golden["completion_lengths"][b].get<std::size_t>());
      const auto& advantage = recording["advantages"][b];
      if (!advantage.is_array()) advantages.push_back(advantage.get<double>());
      for (std::size_t t = prompt - 1; t + 1 < prompt + lengths.back(); ++t) {
        old_logprobs.push_back(golden["old_logprobs"][b][t].get<double>());
        reference.push_back(golden["ref_logprobs"][b][t].get<double>());
        if (advantage.is_array()) advantages.push_back(advantage[t].get<double>());
      }
    }
    clip = golden["clip_eps"].get<double>();
    beta = recording.value("beta", 0.0);
  }

  std::vector<std::size_t> lengths;
  std::vector<double> old_logprobs;
  std::vector<double> reference;
  std::vector<double> advantages;  // per token, or per sequence
  double clip = 0;
  double beta = 0;
};

/// PPO's loss, the mean over all tokens, and its derivatives.
double ppo_loss(const PolicyCase& recorded, std::span<const double> logprobs, std::span<double> derivatives) {
  double loss = 0;
  const double share = 1 / static_cast<double>(logprobs.size());
  for (std::size_t i = 0; i < logprobs.size(); ++i) {
    const double ratio = std::exp(logprobs[i] - recorded.old_logprobs[i]);
    const double plain = ratio * recorded.advantages[i];
    const double clipped = std::clamp(ratio, 1 - recorded.clip, 1 + recorded.clip) * recorded.advantages[i];
    loss -= share * std::min(plain, clipped);
    derivatives[i] = plain <= clipped ? -share * plain : 0;
  }
  return loss;
}

TEST(PolicyGradients, OfThreeLossesAtOnceAreThoseOfTheReference) {
  PARETOFL_NEEDS_GOLDEN_MODELS();
  const Recorded recorded("llama-a");
  const auto& golden = recorded.files.golden["policy_gradient"];
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < golden["prompt_lengths"].size(); ++b) {
    const auto completion = golden["completion_lengths"][b].get<std::size_t>();
    auto ids = golden["input_ids"][b].get<TokenIds>();
    ids.resize(golden["prompt_lengths"][b].get<std::size_t>() + completion);
    sequences.push_back({.ids = std::move(ids), .completion_length = completion});
  }
  const std::vector<std::string> names = {"ppo", "grpo", "grpo_kl"};
  std::vector<double> values;
  const auto losses = [&](const CompletionTokens& tokens, std::span<double> gradients) {
    const std::size_t count = tokens.logprobs.size();
    for (std::size_t k = 0; k < names.size(); ++k) {
      const PolicyCase recording(golden, names[k]);
      const std::span<double> derivatives = gradients.subspan(k * count, count);
      if (names[k] == "ppo") {
        values.push_back(ppo_loss(recording, tokens.logprobs, derivatives));
        continue;
      }
      const std::vector<double> shares =
          token_shares(LossType::kGrpo, recording.lengths, std::vector<bool>(recording.lengths.size(), true), 1);
      const GrpoTokens drawn{tokens.logprobs, recording.old_logprobs, recording.reference, recording.lengths, shares};
      const GrpoRule rule{.low = recording.clip, .high = recording.clip, .kl_coefficient = recording.beta};
      values.push_back(grpo_loss(drawn, recording.advantages, rule, derivatives).loss);
    }
  };
  const std::size_t size = recorded.adapter.size();
  std::vector<float> jacobian(names.size() * size);
  recorded.model->jacobian(sequences, recorded.adapter, nullptr, losses, jacobian);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& recording = golden["cases"][names[k]];
    EXPECT_NEAR(values[k], recording["loss"].get<double>(), 1e-4) << names[k];
    expect_gradient(*recorded.model->adapter_layout(), std::span(jacobian).subspan(k * size, size),
                    recorded.files.folder / recording["file"].get<std::string>());
  }
  const auto reference = recorded.model->logprobs(sequences, {});
  for (std::size_t b = 0; b < sequences.size(); ++b) {
    const auto prompt = golden["prompt_lengths"][b].get<std::size_t>();
    for (std::size_t t = 0; t < reference[b].size(); ++t) {
      EXPECT_NEAR(reference[b][t], golden["ref_logprobs"][b][prompt - 1 + t].get<double>(), 1e-4);
    }
  }
}

}  // namespace
}  // namespace paretofl
