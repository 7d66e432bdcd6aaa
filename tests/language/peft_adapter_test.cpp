#include "paretofl/language/peft_adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/language/lora.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class PeftAdapter : public testing::TestWithParam<const char*> {};

TEST_P(PeftAdapter, IsReadAsItWasWritten) {
  const std::string type = GetParam();
  const LoraOptions lora{.rank = 3, .alpha = 5, .dropout = 0.25, .projections = all_projections(type)};
  const auto layout = lora_layout(tiny_config(type), lora);
  std::vector<float> adapter(layout->size());
  initialize_lora(*layout, Random({1}, "adapter"), adapter);
  const std::filesystem::path folder = testing::TempDir() + "peft_" + type;
  write_peft_adapter(folder, *layout, lora, adapter, type, "base");
  const LoraOptions again = read_peft_options(folder);
  EXPECT_EQ(again.rank, 3);
  EXPECT_EQ(again.alpha, 5);
  EXPECT_EQ(again.dropout, 0.25);
  EXPECT_EQ(again.projections, lora.projections);
  EXPECT_EQ(read_peft_adapter(folder, *layout), adapter);
}

TEST_P(PeftAdapter, MustFitTheModel) {
  const std::string type = GetParam();
  const LanguageModelConfig config = tiny_config(type);
  const LoraOptions lora{.rank = 3, .projections = all_projections(type)};
  const auto layout = lora_layout(config, lora);
  const std::filesystem::path folder = testing::TempDir() + "peft_other_" + type;
  write_peft_adapter(folder, *layout, lora, std::vector<float>(layout->size()), type, "base");
  const auto read = [&](const LanguageModelConfig& model, const LoraOptions& options) {
    return message([&] { read_peft_adapter(folder, *lora_layout(model, options)); });
  };
  EXPECT_EQ(read(config, lora), "no error");
  EXPECT_THAT(read(config, {.rank = 2, .projections = lora.projections}),
              testing::ContainsRegex("expected the shape .2, [0-9]+., found .3, [0-9]+."));
  EXPECT_THAT(read(config, {.rank = 3, .projections = {lora.projections[0]}}),
              testing::HasSubstr("expected tensors of the projections that the model adapts"));
  LanguageModelConfig deeper = config;
  deeper.num_hidden_layers = 3;
  EXPECT_THAT(read(deeper, lora), testing::HasSubstr(".2."));
}

INSTANTIATE_TEST_SUITE_P(Decoders, PeftAdapter, testing::Values("llama", "qwen2", "gpt2"));

TEST(LoraLayout, NamesSlicesByLayerProjectionAndMatrix) {
  const auto layout = lora_layout(tiny_config("llama"), {.rank = 2, .projections = {"o_proj", "k_proj"}});
  std::vector<std::string> names;
  for (const Slice& slice : layout->slices()) names.push_back(slice.name);
  const std::string first = "base_model.model.model.layers.0.self_attn.";
  EXPECT_THAT(std::vector(names.begin(), names.begin() + 4),
              testing::ElementsAre(first + "k_proj.lora_A.weight", first + "k_proj.lora_B.weight", first + "o_proj.lora_A.weight",
                                   first + "o_proj.lora_B.weight"));
  EXPECT_EQ(names.size(), 8);
  EXPECT_EQ(layout->slices()[1].shape, (std::vector<std::int64_t>{12, 2}));
  EXPECT_EQ(lora_layout(tiny_config("gpt2"), {.rank = 1, .projections = {"c_proj"}})->slices().size(), 8);  // of attention and of the MLP
  EXPECT_EQ(lora_layout(tiny_config("llama"), {.rank = 0})->size(), 0);
  EXPECT_THROW(lora_layout(tiny_config("llama"), {.projections = {"c_attn"}}), Error);
  EXPECT_THROW(lora_layout(tiny_config("llama"), {.rank = -1}), Error);
  EXPECT_THROW(lora_layout(tiny_config("llama"), {.dropout = 1}), Error);
}

TEST(LoraLayout, StartsWithKaimingUniformAAndZeroB) {
  const auto layout = lora_layout(tiny_config("llama"), {.rank = 16});
  std::vector<float> adapter(layout->size(), 9);
  initialize_lora(*layout, Random({1}, "adapter"), adapter);
  for (const Slice& slice : layout->slices()) {
    const std::span values = std::span(adapter).subspan(slice.range.begin, slice.range.size());
    const double bound = slice.name.ends_with("A.weight") ? 1 / std::sqrt(24.0) : 0;
    EXPECT_LE(*std::max_element(values.begin(), values.end()), bound);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), -bound);
    EXPECT_GE(*std::max_element(values.begin(), values.end()), 0.9 * bound);
  }
}

TEST(PeftOptions, NameWhatIsNotSupported) {
  const nlohmann::json good = {{"peft_type", "LORA"}, {"r", 4}, {"lora_alpha", 8}, {"target_modules", {"q_proj"}}};
  const auto parse = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json options = good;
    options[key] = value;
    return message([&] { parse_peft_options(options.dump(), "adapter_config.json"); });
  };
  EXPECT_EQ(parse("r", 4), "no error");
  EXPECT_THAT(parse("peft_type", "PREFIX_TUNING"), testing::HasSubstr("expected peft_type to be LORA"));
  EXPECT_THAT(parse("use_dora", true), testing::HasSubstr("expected an adapter without use_dora, found true"));
  EXPECT_THAT(parse("use_rslora", true), testing::HasSubstr("use_rslora"));
  EXPECT_THAT(parse("bias", "all"), testing::HasSubstr("expected bias to be none"));
  EXPECT_THAT(parse("rank_pattern", {{"q_proj", 2}}), testing::HasSubstr("rank_pattern"));
  EXPECT_THAT(parse("target_modules", "all-linear"), testing::HasSubstr("expected target_modules to be a list"));
  EXPECT_THAT(parse("r", 0), testing::HasSubstr("expected r to be an integer from 1"));
  EXPECT_THAT(parse("r", 2.5), testing::HasSubstr("expected r to be an integer from 1"));
  EXPECT_THAT(parse("lora_dropout", 1), testing::HasSubstr("expected lora_dropout in [0, 1)"));
  EXPECT_THROW(read_peft_options("/nowhere"), Error);
}

}  // namespace
}  // namespace paretofl
