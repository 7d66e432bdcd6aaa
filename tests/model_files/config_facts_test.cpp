#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json llama() {
  return {{"model_type", "llama"},   {"vocab_size", 100},      {"hidden_size", 32},
          {"intermediate_size", 64}, {"num_hidden_layers", 2}, {"num_attention_heads", 4},
          {"rms_norm_eps", 1e-5},    {"hidden_act", "silu"},   {"max_position_embeddings", 64}};
}

json gpt2() {
  return {{"model_type", "gpt2"}, {"vocab_size", 100}, {"n_embd", 32}, {"n_layer", 2}, {"n_head", 4}, {"activation_function", "gelu_new"},
          {"n_positions", 64}};
}

LanguageModelConfig read(const json& config) { return parse_language_model_config(config.dump(), "config.json"); }

std::string message(json config, const json& changes) {
  config.update(changes);
  try {
    read(config);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const json kScaling = {
    {"rope_type", "llama3"}, {"factor", 4}, {"low_freq_factor", 1}, {"high_freq_factor", 2}, {"original_max_position_embeddings", 16}};

TEST(ConfigFacts, AnUnknownKeyThatIsSetIsRefusedByItsName) {
  for (const char* key : {"logit_scale", "embedding_multiplier", "quantization_config", "sliding_window", "attention_chunk_size",
                          "per_layer_config", "suppress_tokens", "a_key_of_tomorrow"}) {
    for (const json& value : {json(0), json(0.5), json(true), json("x"), json{{"a", 1}}, json{1}}) {
      EXPECT_THAT(message(llama(), {{key, value}}),
                  HasSubstr("expected no key \"" + std::string(key) + "\", which is not supported, found"));
    }
    for (const json& value : {json(), json(false), json(""), json::array(), json::object()}) {
      EXPECT_EQ(message(llama(), {{key, value}}), "no error");
    }
  }
  const std::string long_value(1000, 'x');
  EXPECT_LT(message(llama(), {{"a_key_of_tomorrow", long_value}}).size(), 300U);
  EXPECT_THAT(message(llama(), {{"\u001b[31m", 1}}), HasSubstr("\"\\u001b[31m\""));
}

TEST(ConfigFacts, WhatPublishedConfigsAlsoHoldIsHarmless) {
  const json common = {{"_name_or_path", "somewhere"}, {"architectures", {"Any"}},    {"transformers_version", "4.40.0"},
                       {"torch_dtype", "bfloat16"},    {"dtype", "bfloat16"},         {"use_cache", true},
                       {"unsloth_version", "2025.1"},  {"_attn_implementation", "x"}, {"label2id", {{"LABEL_0", 0}}},
                       {"id2label", {{"0", "x"}}},     {"problem_type", "regression"}};
  json one = common;
  one.update({{"pretraining_tp", 2}, {"max_sequence_length", 64}, {"attention_dropout", 0.1}, {"rope_interleaved", false}});
  EXPECT_EQ(message(llama(), one), "no error");
  json two = common;
  two.update({{"n_ctx", 64},
              {"summary_type", "cls_index"},
              {"summary_use_proj", true},
              {"attn_pdrop", 0.1},
              {"output_past", true},
              {"task_specific_params", {{"text-generation", {{"max_length", 50}}}}},
              {"reorder_and_upcast_attn", true}});
  EXPECT_EQ(message(gpt2(), two), "no error");
  json three = llama();
  three.update({{"model_type", "qwen2"}, {"num_key_value_heads", 2}, {"use_sliding_window", false}, {"sliding_window", 8}});
  EXPECT_EQ(message(three, {{"max_window_layers", 1}, {"use_mrope", false}, {"layer_types", {"full_attention", "full_attention"}}}),
            "no error");
  EXPECT_THAT(message(three, {{"layer_types", {"sliding_attention", "full_attention"}}}),
              HasSubstr("expected a sliding_window that is used"));
  EXPECT_THAT(message(llama(), {{"is_causal", false}}), HasSubstr("expected is_causal = true, found false"));
}

TEST(ConfigFacts, AnOlderRopeScalingCountsBesideRopeParameters) {
  const LanguageModelConfig config = read([] {
    json both = llama();
    both.update({{"rope_scaling", kScaling}, {"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 7000}}}});
    return both;
  }());
  EXPECT_EQ(config.rope_scaling->factor, 4);
  EXPECT_EQ(config.rope_theta, 10000);
  json newer = llama();
  newer.update({{"rope_scaling", json::object()}, {"rope_theta", 5000}, {"rope_parameters", {{"rope_theta", 7000}}}});
  EXPECT_EQ(read(newer).rope_theta, 7000);
  EXPECT_FALSE(read(newer).rope_scaling.has_value());
}

TEST(ConfigFacts, Llama3sOriginalLengthMayStandOutside) {
  json outside = llama();
  outside.update({{"rope_scaling", kScaling}, {"original_max_position_embeddings", 24}});
  EXPECT_EQ(read(outside).rope_scaling->original_max_position_embeddings, 24);
  json nowhere = llama();
  nowhere["rope_scaling"] = kScaling;
  nowhere["rope_scaling"].erase("original_max_position_embeddings");
  EXPECT_EQ(read(nowhere).rope_scaling->original_max_position_embeddings, 64);
}

TEST(ConfigFacts, RopeKeysOfOtherKindsAreRefused) {
  EXPECT_THAT(message(llama(), {{"rope_parameters", {{"rope_type", "default"}, {"factor", 8}}}}), HasSubstr("expected no key \"factor\""));
  EXPECT_THAT(message(llama(), {{"rope_parameters", {{"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}}}}),
              HasSubstr("expected partial_rotary_factor = 1, found 0.5"));
  EXPECT_THAT(message(llama(), {{"partial_rotary_factor", 0.5}}), HasSubstr("expected partial_rotary_factor = 1, found 0.5"));
  EXPECT_THAT(message(llama(), {{"rope_parameters", {{"full_attention", {{"rope_theta", 1e4}}}}}}), HasSubstr("\"full_attention\""));
  EXPECT_THAT(message(llama(), {{"rope_scaling", 2}}), HasSubstr("rope_scaling: expected a JSON object, found number"));
}

TEST(ConfigFacts, Gpt2sKeysHaveOtherNames) {
  json other = gpt2();
  other.erase("n_positions");
  other["max_position_embeddings"] = 48;
  EXPECT_EQ(read(other).max_position_embeddings, 48);
  EXPECT_THAT(message(gpt2(), {{"max_position_embeddings", 48}}),
              HasSubstr("expected n_positions and max_position_embeddings to be the same number, found 64 and 48"));
}

TEST(ConfigFacts, Qwen2sDefaultIs32KeyValueHeads) {
  json config = llama();
  config["model_type"] = "qwen2";
  EXPECT_THAT(message(config, json::object()), HasSubstr("expected key-value heads that divide the attention heads, found 32 and 4"));
  EXPECT_EQ(message(config, {{"num_key_value_heads", nullptr}}), "no error");
}

TEST(ConfigFacts, LabelsAreCounted) {
  json config = llama();
  EXPECT_EQ(read(config).num_labels, 2);
  config["num_labels"] = 1;
  EXPECT_EQ(read(config).num_labels, 1);
  config["id2label"] = {{"0", "a"}, {"1", "b"}, {"2", "c"}};
  EXPECT_THAT(message(config, json::object()), HasSubstr("expected as many num_labels as id2label has, found 1 and 3"));
  config.erase("num_labels");
  EXPECT_EQ(read(config).num_labels, 3);
}

TEST(ConfigFacts, GenerationConfigsEndTokensCount) {
  const std::filesystem::path folder = testing::TempDir() + "generation_config";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  json config = llama();
  config["eos_token_id"] = 2;
  std::ofstream(folder / "config.json") << config.dump();
  EXPECT_THAT(read_language_model_config(folder).eos_token_ids, ElementsAre(2));
  std::ofstream(folder / "generation_config.json") << R"({"temperature": 0.7, "eos_token_id": [7, 5]})";
  EXPECT_THAT(read_language_model_config(folder).eos_token_ids, ElementsAre(7, 5));
  std::ofstream(folder / "generation_config.json") << R"({"temperature": 0.7})";
  EXPECT_THAT(read_language_model_config(folder).eos_token_ids, ElementsAre(2));
  std::ofstream(folder / "generation_config.json") << R"({"suppress_tokens": null, "bad_words_ids": [], "stop_strings": ""})";
  EXPECT_NO_THROW(read_language_model_config(folder));
  // Other ways to choose tokens are not applied, which a warning tells unless they change nothing.
  for (const auto& [key, applies] : {std::pair{R"("repetition_penalty": 1.05)", false},
                                     {R"("repetition_penalty": 1)", true},
                                     {R"("num_beams": 4)", false},
                                     {R"("guidance_scale": null)", true},
                                     {R"("min_p": 0.1)", false}}) {
    std::ofstream(folder / "generation_config.json") << "{" << key << "}";
    testing::internal::CaptureStderr();
    read_language_model_config(folder);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_EQ(told.find("is not applied") == std::string::npos, applies) << key << ": " << told;
  }
  for (const char* forbids : {R"("suppress_tokens": [3])", R"("begin_suppress_tokens": [3])", R"("bad_words_ids": [[3]])",
                              R"("forced_eos_token_id": 3)", R"("stop_strings": "x")", R"("sequence_bias": [[[3], -1.0]])"}) {
    std::ofstream(folder / "generation_config.json") << "{" << forbids << "}";
    EXPECT_THAT([&] { read_language_model_config(folder); }, ThrowsMessage<Error>(HasSubstr("which is not supported, found"))) << forbids;
  }
  std::ofstream(folder / "generation_config.json") << "[";
  EXPECT_THROW(read_language_model_config(folder), Error);
  std::filesystem::remove(folder / "generation_config.json");
  std::ofstream(folder / "adapter_config.json") << "{}";
  EXPECT_THROW(read_language_model_config(folder), Error);  // other readers would apply it
}

}  // namespace
}  // namespace paretofl
