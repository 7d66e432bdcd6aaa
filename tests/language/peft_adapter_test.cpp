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

INSTANTIATE_TEST_SUITE_P(Decoders, PeftAdapter, kDecoderFamilies);

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

// The names of the matrices A of a layout, without what all have in common, and their ranks.
std::vector<std::string> adapted(const LanguageModelConfig& config, const LoraOptions& lora) {
  std::vector<std::string> found;
  const auto layout = lora_layout(config, lora);
  for (const Slice& slice : layout->slices()) {
    const std::size_t end = slice.name.find(".lora_A.weight");
    if (end != std::string::npos) found.push_back(slice.name.substr(17, end - 17) + " " + std::to_string(slice.shape[0]));
  }
  return found;
}

TEST(LoraLayout, FollowsTargetsAsPeftDoes) {
  const LanguageModelConfig config = tiny_config("llama");
  using testing::ElementsAre;
  EXPECT_EQ(adapted(config, {.rank = 2, .projections = {"all-linear"}}).size(), 14U);
  EXPECT_EQ(adapted(tiny_config("gpt2"), {.rank = 2, .projections = {"all-linear"}}).size(), 8U);
  EXPECT_THAT(adapted(config, {.rank = 2, .projections = {"layers.1.self_attn.q_proj"}}), ElementsAre("model.layers.1.self_attn.q_proj 2"));
  EXPECT_THAT(adapted(config, {.rank = 2, .projections = {}, .projection_pattern = R"(model\.layers\.1\..*(q|v)_proj)"}),
              ElementsAre("model.layers.1.self_attn.q_proj 2", "model.layers.1.self_attn.v_proj 2"));
  EXPECT_THROW(adapted(config, {.projections = {}, .projection_pattern = "q_proj"}), Error);  // the whole name must match
  // Alternatives are of the pattern alone, and one that would take forever to fail is given up.
  EXPECT_THROW(adapted(config, {.projections = {}, .projection_pattern = "model|q_proj"}), Error);
  EXPECT_THROW(adapted(config, {.projections = {}, .projection_pattern = R"(((?:[a-z_.0-9]+)+)+!)"}), Error);
  EXPECT_THROW(adapted(config, {.projections = {"layers.2.self_attn.q_proj"}}), Error);
}

TEST(LoraLayout, HasRanksAndScalesByModules) {
  const LanguageModelConfig config = tiny_config("llama");
  LoraOptions lora{.rank = 4, .alpha = 6, .projections = {"q_proj", "v_proj"}};
  lora.rank_pattern = {{"layers.1.self_attn.q_proj", 9}, {"q_proj", 1}, {"_proj", 7}};
  lora.alpha_pattern = {{".*v_proj", 10}};
  EXPECT_THAT(adapted(config, lora), testing::ElementsAre("model.layers.0.self_attn.q_proj 1", "model.layers.0.self_attn.v_proj 4",
                                                          "model.layers.1.self_attn.q_proj 9", "model.layers.1.self_attn.v_proj 4"));
  auto places = lora_places(config, lora);
  EXPECT_EQ(places[0][0].scale, 6);
  EXPECT_EQ(places[0][2].scale, 2.5);
  EXPECT_EQ(places[1][0].scale, 6.0 / 9);
  EXPECT_EQ(places[1][2].slice, 6);
  EXPECT_EQ(places[1][1].slice, -1);
  lora.rank_stabilized = true;
  places = lora_places(config, lora);
  EXPECT_EQ(places[1][0].scale, 2);
  EXPECT_EQ(places[0][2].scale, 5);
  lora.rank_pattern = {{"q_proj", 0}};
  EXPECT_THROW(lora_places(config, lora), Error);
}

TEST(PeftOptions, AreReadAsTheyWereWritten) {
  const LanguageModelConfig config = tiny_config("llama");
  LoraOptions lora{.rank = 4, .alpha = 6, .projections = {}, .projection_pattern = ".*(q|v)_proj", .rank_stabilized = true};
  lora.rank_pattern = {{"z.*|q_proj", 2}, {"a.*|q_proj", 3}};  // the first counts, whatever the order of their letters
  lora.alpha_pattern = {{"v_proj", 1.5}};
  const auto layout = lora_layout(config, lora);
  const std::filesystem::path folder = testing::TempDir() + "peft_patterns";
  write_peft_adapter(folder, *layout, lora, std::vector<float>(layout->size()), "llama", "base");
  const LoraOptions again = read_peft_options(folder);
  EXPECT_TRUE(again.projections.empty());
  EXPECT_EQ(again.projection_pattern, lora.projection_pattern);
  EXPECT_EQ(again.rank_stabilized, true);
  EXPECT_EQ(again.rank_pattern, lora.rank_pattern);
  EXPECT_EQ(again.alpha_pattern, lora.alpha_pattern);
  const LoraOptions all{.projections = {"all-linear"}};
  write_peft_adapter(folder, *lora_layout(config, all), all, std::vector<float>(lora_layout(config, all)->size()), "llama", "base");
  EXPECT_EQ(read_peft_options(folder).projections, all.projections);
}

TEST(PeftOptions, NameWhatIsNotSupported) {
  const nlohmann::json good = {{"peft_type", "LORA"}, {"r", 4}, {"lora_alpha", 8}, {"target_modules", {"q_proj"}}};
  const auto parse = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json options = good;
    options[key] = value;
    return message([&] { parse_peft_options(options.dump(), "adapter_config.json"); });
  };
  EXPECT_EQ(parse("r", 4), "no error");
  EXPECT_THAT([] { parse_peft_options("{}", "f"); }, testing::ThrowsMessage<Error>("f: expected the key peft_type, found none"));
  EXPECT_THAT(parse("peft_type", "PREFIX_TUNING"), testing::HasSubstr("expected peft_type to be LORA"));
  EXPECT_THAT(parse("use_dora", true), testing::HasSubstr("expected no key \"use_dora\", which is not supported, found true"));
  EXPECT_THAT(parse("use_rslora", 1), testing::HasSubstr("expected use_rslora to be true or false, found 1"));
  EXPECT_THAT(parse("modules_to_save", {"lm_head"}), testing::HasSubstr("expected no key \"modules_to_save\", which is not supported"));
  EXPECT_THAT(parse("bias", "all"), testing::HasSubstr("expected bias to be none"));
  EXPECT_THAT(parse("rank_pattern", {{"q_proj", 0}}), testing::HasSubstr("expected rank_pattern to hold numbers for adapters, found 0"));
  EXPECT_THAT(parse("rank_pattern", {{"q_proj", 2.5}}),
              testing::HasSubstr("expected rank_pattern to hold numbers for adapters, found 2.5"));
  EXPECT_THAT(parse("alpha_pattern", {{"q_proj", "x"}}), testing::HasSubstr("expected alpha_pattern to hold numbers for adapters"));
  EXPECT_THAT(parse("alpha_pattern", {{"q_proj(", 1}}),
              testing::StartsWith("adapter_config.json: alpha_pattern: expected a regular expression, found 'q_proj(': "));
  EXPECT_THAT(parse("rank_pattern", 3), testing::HasSubstr("expected rank_pattern to be an object"));
  EXPECT_THAT(parse("alpha_pattern", {{"q_proj", 1e39}}), testing::HasSubstr("expected alpha_pattern to hold numbers for adapters"));
  EXPECT_THAT(parse("alpha_pattern", {{R"(\hproj)", 1}}), testing::HasSubstr(R"(alpha_pattern: expected a regular expression without \h)"));
  EXPECT_EQ(parse("lora_alpha", 1e39), "adapter_config.json: expected a lora_alpha that float32 holds, found 1e+39");
  EXPECT_THAT(parse("target_modules", ".*[q"), testing::HasSubstr("target_modules: expected a regular expression, found '.*[q': "));
  EXPECT_THAT(parse("target_modules", R"(.*[q&&q]_proj)"), testing::HasSubstr("without && in a class"));
  EXPECT_THAT(parse("target_modules", std::string(2000, 'q')), testing::HasSubstr("at most 1000 characters, found 2000"));
  EXPECT_THAT(parse("target_modules", ""), testing::HasSubstr("found an empty text"));
  EXPECT_THAT(parse("target_modules", 3), testing::HasSubstr("expected target_modules to be a list"));
  EXPECT_THAT(parse("r", 0), testing::HasSubstr("expected r to be an integer from 1"));
  EXPECT_THAT(parse("r", 2.5), testing::HasSubstr("expected r to be an integer from 1"));
  EXPECT_THAT(parse("lora_dropout", 1), testing::HasSubstr("expected lora_dropout in [0, 1)"));
  EXPECT_THROW(read_peft_options("/nowhere"), Error);
}

// In PEFT "all-linear" means all projections only where it is the value itself, in letters of any case.
TEST(PeftOptions, AllLinearIsNoNameInAList) {
  const auto parse = [](const nlohmann::json& modules) {
    return parse_peft_options(nlohmann::json({{"peft_type", "LORA"}, {"target_modules", modules}}).dump(), "adapter_config.json");
  };
  const std::vector<std::string> all = {"all-linear"};
  EXPECT_EQ(parse("all-linear").projections, all);
  EXPECT_EQ(parse("All-Linear").projections, all);
  EXPECT_EQ(message([&] { parse({"all-linear"}); }),
            "adapter_config.json: expected target_modules to be \"all-linear\" itself where all projections are meant, found it in "
            "[\"all-linear\"]");
  EXPECT_THAT(message([&] { parse({"q_proj", "all-linear"}); }), testing::HasSubstr("found it in [\"q_proj\",\"all-linear\"]"));
}

// A whole configuration as the library writes it, key by key set to something else: what changes an adapter's meaning is
// refused by its name.
TEST(PeftOptions, ReadEveryKeyOrRefuseIt) {
  const nlohmann::json whole = nlohmann::json::parse(R"({"alora_invocation_tokens": null, "alpha_pattern": {}, "arrow_config": null,
      "auto_mapping": null, "base_model_name_or_path": "base", "bias": "none", "corda_config": null, "ensure_weight_tying": false,
      "eva_config": null, "exclude_modules": null, "fan_in_fan_out": false, "inference_mode": true, "init_lora_weights": true,
      "kasa_config": null, "layer_replication": null, "layers_pattern": null, "layers_to_transform": null, "loftq_config": {},
      "lora_alpha": 8, "lora_bias": false, "lora_dropout": 0.0, "lora_ga_config": null, "megatron_config": null,
      "megatron_core": "megatron.core", "modules_to_save": null, "monteclora_config": null, "peft_type": "LORA",
      "peft_version": "0.21.2", "qalora_group_size": 16, "r": 4, "rank_pattern": {}, "revision": null, "target_modules": ["q_proj"],
      "target_parameters": null, "task_type": "CAUSAL_LM", "trainable_token_indices": null, "use_bdlora": null, "use_dora": false,
      "use_qalora": false, "use_rslora": false, "velora_config": null})");
  const auto parse = [&](const std::string& key, const nlohmann::json& value) {
    nlohmann::json options = whole;
    options[key] = value;
    return message([&] { parse_peft_options(options.dump(), "adapter_config.json"); });
  };
  EXPECT_EQ(parse("r", 4), "no error");
  for (const char* key :
       {"alora_invocation_tokens", "arrow_config", "ensure_weight_tying", "exclude_modules", "kasa_config", "layer_replication",
        "layers_pattern", "layers_to_transform", "lora_bias", "megatron_config", "modules_to_save", "monteclora_config",
        "target_parameters", "trainable_token_indices", "use_bdlora", "use_dora", "use_qalora", "velora_config", "a_key_of_tomorrow"}) {
    for (const nlohmann::json& value : {nlohmann::json(true), nlohmann::json(0), nlohmann::json("x"), nlohmann::json({5, 60})}) {
      EXPECT_THAT(parse(key, value), testing::HasSubstr("expected no key \"" + std::string(key) + "\", which is not supported, found"));
    }
    for (const nlohmann::json& value : {nlohmann::json(), nlohmann::json(false), nlohmann::json(""), nlohmann::json::array()}) {
      EXPECT_EQ(parse(key, value), "no error");
    }
  }
  for (const char* key : {"auto_mapping", "base_model_name_or_path", "corda_config", "eva_config", "fan_in_fan_out", "inference_mode",
                          "loftq_config", "lora_ga_config", "megatron_core", "peft_version", "qalora_group_size", "revision"}) {
    EXPECT_EQ(parse(key, {{"anything", 1}}), "no error");
  }
  for (const nlohmann::json& start :
       {nlohmann::json(false), nlohmann::json("gaussian"), nlohmann::json("orthogonal"), nlohmann::json("eva")}) {
    EXPECT_EQ(parse("init_lora_weights", start), "no error");
  }
  for (const char* start : {"pissa", "pissa_niter_4", "olora", "OLoRA", "corda", "loftq", "lora_ga", "mica", "Gaussian", "new"}) {
    EXPECT_THAT(parse("init_lora_weights", start), testing::HasSubstr("expected init_lora_weights to be"));
  }
  EXPECT_THAT(parse("init_lora_weights", 1), testing::HasSubstr("expected init_lora_weights to be"));
  EXPECT_THAT(parse("task_type", "SEQ_CLS"), testing::HasSubstr("expected task_type to be CAUSAL_LM, found \"SEQ_CLS\""));
}

}  // namespace
}  // namespace paretofl
