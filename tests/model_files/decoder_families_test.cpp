// What the configs of families with Llama's layers say, and what of them is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json family_config(const char* model_type, const json& changes = json::object()) {
  json config = {{"model_type", model_type}, {"vocab_size", 100},      {"hidden_size", 32},
                 {"intermediate_size", 64},  {"num_hidden_layers", 4}, {"num_attention_heads", 8},
                 {"num_key_value_heads", 2}, {"rms_norm_eps", 1e-5},   {"max_position_embeddings", 64}};
  config.update(changes);
  return config;
}

LanguageModelConfig read_family(const char* model_type, const json& changes = json::object()) {
  return parse_language_model_config(family_config(model_type, changes).dump(), "config.json");
}

std::string family_refusal(const char* model_type, const json& changes) {
  try {
    read_family(model_type, changes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DecoderFamilies, HaveDefaultsOfTheirOwn) {
  EXPECT_EQ(read_family("llama").head_dim, 4);
  EXPECT_EQ(read_family("qwen3").head_dim, 128);
  EXPECT_EQ(read_family("gemma2").head_dim, 256);
  EXPECT_EQ(read_family("smollm3").rope_theta, 2e6);
  EXPECT_EQ(read_family("gemma3_text").rope_theta, 1e6);
  EXPECT_EQ(read_family("gemma3_text").local_rope->theta, 1e4);
  EXPECT_TRUE(read_family("smollm3").tie_word_embeddings);
  EXPECT_TRUE(read_family("gemma2").tie_word_embeddings);
  EXPECT_FALSE(read_family("mistral").tie_word_embeddings);
  EXPECT_EQ(read_family("gemma2").pad_token_id, 0);
  EXPECT_FALSE(read_family("gemma2", {{"pad_token_id", nullptr}}).pad_token_id.has_value());
  EXPECT_FALSE(read_family("qwen3").pad_token_id.has_value());
  json mistral = family_config("mistral");
  mistral.erase("num_key_value_heads");
  EXPECT_EQ(parse_language_model_config(mistral.dump(), "x").num_key_value_heads, 8);
}

TEST(DecoderFamilies, HaveHeadsOfAnySize) {
  for (const char* type : {"llama", "qwen2", "qwen3", "mistral", "smollm3", "gemma", "gemma2", "gemma3_text"}) {
    const LanguageModelConfig config = read_family(type, {{"head_dim", 6}});
    const auto projections = decoder_projections(config);
    EXPECT_EQ(projections[0].out, 48) << type;
    EXPECT_EQ(projections[1].out, 12) << type;
    EXPECT_EQ(projections[3].in, 48) << type;
  }
}

TEST(DecoderFamilies, HaveBiasesWhereTheySay) {
  const auto biases = [](const LanguageModelConfig& config) {
    std::string all;
    for (const DecoderProjection& projection : decoder_projections(config)) all += projection.bias ? '1' : '0';
    return all;
  };
  EXPECT_EQ(biases(read_family("qwen2")), "1110000");
  EXPECT_EQ(biases(read_family("mistral")), "0000000");
  for (const char* type : {"llama", "qwen3", "smollm3", "gemma", "gemma2", "gemma3_text"}) {
    EXPECT_EQ(biases(read_family(type)), "0000000") << type;
    EXPECT_EQ(biases(read_family(type, {{"attention_bias", true}})), "1111000") << type;
  }
  EXPECT_THAT(family_refusal("mistral", {{"attention_bias", true}}), HasSubstr("expected no key \"attention_bias\""));
  EXPECT_THAT(family_refusal("smollm3", {{"mlp_bias", true}}), HasSubstr("expected mlp_bias = false, found true"));
}

TEST(DecoderFamilies, SeeWindows) {
  const json used = {{"use_sliding_window", true}, {"sliding_window", 7}, {"max_window_layers", 3}};
  for (const char* type : {"qwen2", "qwen3"}) {
    EXPECT_THAT(read_family(type).windows, IsEmpty());
    EXPECT_THAT(read_family(type, {{"sliding_window", 7}, {"max_window_layers", 0}}).windows, IsEmpty());
    EXPECT_THAT(read_family(type, used).windows, ElementsAre(0, 0, 0, 7));
    json listed = used;
    listed["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "sliding_attention"};
    EXPECT_THAT(read_family(type, listed).windows, ElementsAre(7, 0, 0, 7));
    listed["use_sliding_window"] = false;
    EXPECT_EQ(family_refusal(type, listed), "config.json: expected a sliding_window that is used, since layer 0 has one, found none");
    EXPECT_THAT(read_family(type, {{"use_sliding_window", true}, {"sliding_window", nullptr}}).windows, IsEmpty());
    EXPECT_THAT(read_family(type, {{"use_sliding_window", true}, {"max_window_layers", 2}}).windows, ElementsAre(0, 0, 4096, 4096));
  }
  EXPECT_THAT(read_family("mistral").windows, ElementsAre(4096, 4096, 4096, 4096));
  EXPECT_THAT(read_family("mistral", {{"sliding_window", nullptr}}).windows, IsEmpty());
  EXPECT_THAT(read_family("mistral", {{"sliding_window", 9}}).windows, ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(read_family("gemma2", {{"sliding_window", 9}}).windows, ElementsAre(9, 0, 9, 0));
  EXPECT_THAT(read_family("gemma3_text", {{"sliding_window", 9}}).windows, ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(read_family("gemma3_text", {{"sliding_window", 9}, {"sliding_window_pattern", 3}}).windows, ElementsAre(9, 9, 0, 9));
  const json unused = {{"sliding_window", nullptr}, {"sliding_window_pattern", 1}};
  EXPECT_EQ(family_refusal("gemma2", {{"sliding_window", nullptr}}),
            "config.json: expected a sliding_window that is used, since layer 0 has one, found none");
  EXPECT_THAT(read_family("gemma3_text", unused).windows, IsEmpty());
  json listed = unused;
  listed["layer_types"] = {"full_attention", "full_attention", "sliding_attention", "full_attention"};
  EXPECT_EQ(family_refusal("gemma3_text", listed),
            "config.json: expected a sliding_window that is used, since layer 2 has one, found none");
  EXPECT_THAT(family_refusal("mistral", {{"sliding_window", 0}}), HasSubstr("expected sliding_window to be an integer from 1"));
  EXPECT_THAT(family_refusal("mistral", {{"layer_types", {"full_attention", "full_attention", "full_attention", "full_attention"}}}),
              HasSubstr("expected layer_types to say the same as sliding_window"));
  EXPECT_THAT(family_refusal("qwen3", {{"layer_types", {"full_attention"}}}), HasSubstr("expected layer_types to be a list of 4 kinds"));
  EXPECT_THAT(family_refusal("qwen3", {{"layer_types", {"chunked_attention", "full_attention", "full_attention", "full_attention"}}}),
              HasSubstr("found \"chunked_attention\", which is not supported"));
}

TEST(DecoderFamilies, SmolLm3LeavesPositionsOut) {
  EXPECT_THAT(read_family("smollm3").rotated, ElementsAre(true, true, true, false));
  EXPECT_THAT(read_family("smollm3", {{"no_rope_layer_interval", 2}}).rotated, ElementsAre(true, false, true, false));
  const json listed = {{"no_rope_layers", {0, 1, 1, 0, 1}}, {"use_sliding_window", true}, {"sliding_window", 5}};
  EXPECT_THAT(read_family("smollm3", listed).rotated, ElementsAre(false, true, true, false));
  EXPECT_THAT(read_family("smollm3", listed).windows, ElementsAre(5, 0, 0, 5));
  EXPECT_THAT(family_refusal("smollm3", {{"no_rope_layers", {1, 1}}}), HasSubstr("expected no_rope_layers to be a list of at least 4"));
}

TEST(DecoderFamilies, GemmaHasCapsAndScales) {
  const LanguageModelConfig second = read_family("gemma2");
  EXPECT_EQ(second.attention_cap, 50);
  EXPECT_EQ(second.logit_cap, 30);
  EXPECT_EQ(second.attention_scale, 1.0 / 16);
  EXPECT_EQ(second.embedding_scale, std::sqrt(32.0));
  EXPECT_EQ(second.hidden_act, "gelu_new");
  const json none = {{"attn_logit_softcapping", nullptr}, {"final_logit_softcapping", nullptr}, {"query_pre_attn_scalar", 144}};
  EXPECT_EQ(read_family("gemma2", none).attention_cap, 0);
  EXPECT_EQ(read_family("gemma2", none).logit_cap, 0);
  EXPECT_EQ(read_family("gemma2", none).attention_scale, 1.0 / 12);
  EXPECT_EQ(read_family("gemma3_text").logit_cap, 0);
  EXPECT_EQ(read_family("gemma3_text", {{"hidden_act", "relu"}, {"cache_implementation", "hybrid"}}).hidden_act, "gelu_new");
  EXPECT_THAT(family_refusal("gemma3_text", {{"attn_logit_softcapping", 50.0}}), HasSubstr("\"attn_logit_softcapping\""));
  EXPECT_THAT(family_refusal("gemma3_text", {{"use_bidirectional_attention", true}}),
              HasSubstr("expected use_bidirectional_attention = false"));
  EXPECT_THAT(family_refusal("mixtral", json::object()), HasSubstr("expected model_type to be llama, qwen2, qwen3, mistral"));
}

// Generation takes them as floats, in which these would be zero, infinite or so small that their bits are lost.
TEST(DecoderFamilies, RefuseNumbersThatFloatsCannotHold) {
  for (const char* key :
       {"final_logit_softcapping", "attn_logit_softcapping", "query_pre_attn_scalar", "rms_norm_eps", "rope_theta", "initializer_range"}) {
    for (const double number : {1e-320, 1e-300, 1e-39, 1e39, 1e300, 0.0, -1.0}) {
      EXPECT_EQ(family_refusal("gemma2", {{key, number}}),
                "config.json: expected " + std::string(key) + " to be a positive number that float32 holds, found " + json(number).dump());
    }
    EXPECT_EQ(family_refusal("gemma2", {{key, 1.5}}), "no error") << key;
  }
  const auto rope = [](const json& changes) {
    json yarn = {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}};
    yarn.update(changes);
    return family_refusal("llama", {{"rope_parameters", yarn}});
  };
  EXPECT_THAT(rope({{"attention_factor", 1e-320}}), HasSubstr("expected attention_factor to be a positive number that float32 holds"));
  EXPECT_THAT(rope({{"mscale", -100.0}, {"mscale_all_dim", 1}}), HasSubstr("that give a positive attention factor, found -100 and 1"));
  EXPECT_THAT(rope({{"mscale", 1e300}, {"mscale_all_dim", 1}}), HasSubstr("that give a positive attention factor"));
}

TEST(DecoderFamilies, RotateInEveryPublishedWay) {
  const auto scaling = [](const json& rope) { return *read_family("llama", {{"rope_parameters", rope}}).rope_scaling; };
  EXPECT_EQ(scaling({{"rope_type", "linear"}, {"factor", 2}}).factor, 2);
  EXPECT_EQ(scaling({{"rope_type", "dynamic"}, {"factor", 2}}).rope_type, "dynamic");
  const json yarn = {{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}};
  const RopeScaling plain = *read_family("qwen2", {{"rope_scaling", yarn}}).rope_scaling;
  EXPECT_EQ(plain.original_max_position_embeddings, 16);
  EXPECT_DOUBLE_EQ(plain.attention_factor, 0.1 * std::log(4.0) + 1);
  const auto changed = [&](const json& changes) {
    json rope = yarn;
    rope.update(changes);
    return rope;
  };
  EXPECT_DOUBLE_EQ(scaling(changed({{"mscale", 2}, {"mscale_all_dim", 1}})).attention_factor,
                   (0.2 * std::log(4.0) + 1) / (0.1 * std::log(4.0) + 1));
  EXPECT_EQ(scaling(changed({{"attention_factor", 1.5}})).attention_factor, 1.5);
  EXPECT_EQ(scaling(changed({{"factor", nullptr}})).factor, 4);  // 64 positions over 16
  const auto refused = [&](const json& rope) { return family_refusal("llama", {{"rope_parameters", rope}}); };
  EXPECT_THAT(refused(changed({{"beta_fast", 1}})), HasSubstr("expected beta_fast above beta_slow"));
  EXPECT_THAT(refused({{"rope_type", "linear"}}), HasSubstr("expected the key factor, found none"));
  EXPECT_THAT(refused({{"rope_type", "linear"}, {"factor", 2}, {"beta_fast", 3}}), HasSubstr("expected no key \"beta_fast\""));
  EXPECT_THAT(refused({{"rope_type", "dynamic"}, {"factor", 0.5}}), HasSubstr("expected a factor of at least 1"));
  EXPECT_THAT(refused({{"rope_type", "longrope"}, {"factor", 2}}), HasSubstr("found 'longrope'"));
}

TEST(DecoderFamilies, Gemma3HasTwoRopes) {
  const LanguageModelConfig older = read_family(
      "gemma3_text", {{"rope_theta", 5e5}, {"rope_local_base_freq", 700}, {"rope_scaling", {{"type", "linear"}, {"factor", 8}}}});
  const json full = {{"rope_type", "linear"}, {"factor", 8}, {"rope_theta", 5e5}};
  const json both = {{"full_attention", full}, {"sliding_attention", {{"rope_theta", 700}}}};
  for (const LanguageModelConfig& config : {older, read_family("gemma3_text", {{"rope_parameters", both}})}) {
    EXPECT_EQ(config.rope_theta, 5e5);
    EXPECT_EQ(config.rope_scaling->factor, 8);
    EXPECT_EQ(config.local_rope->theta, 700);
    EXPECT_FALSE(config.local_rope->scaling.has_value());
  }
  EXPECT_THAT(family_refusal("gemma3_text", {{"rope_parameters", full}}), HasSubstr("rope_parameters: expected no key"));
  EXPECT_THAT(family_refusal("gemma3_text", {{"rope_parameters", {{"full_attention", 3}}}}),
              HasSubstr("full_attention: expected a JSON object"));
}

TEST(DecoderFamilies, AreReadAsTheyWereWritten) {
  const std::filesystem::path folder = testing::TempDir() + "decoder_families";
  std::filesystem::create_directories(folder);
  const json yarn = {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}, {"truncate", false}};
  const json nested = {{"full_attention", {{"rope_type", "linear"}, {"factor", 8}, {"rope_theta", 5e5}}},
                       {"sliding_attention", {{"rope_theta", 700}, {"rope_type", "linear"}, {"factor", 2}}}};
  const std::vector<LanguageModelConfig> configs = {
      read_family("qwen2", {{"use_sliding_window", true}, {"sliding_window", 5}, {"max_window_layers", 2}, {"head_dim", 6}}),
      read_family("qwen3", {{"attention_bias", true}, {"rope_parameters", yarn}}),
      read_family("mistral"),
      read_family("mistral", {{"sliding_window", nullptr}, {"head_dim", 6}}),
      read_family("phi3", {{"sliding_window", 5}, {"original_max_position_embeddings", 32}, {"resid_pdrop", 0.1}}),
      read_family("phi3", {{"head_dim", 12},
                           {"partial_rotary_factor", 0.84},
                           {"original_max_position_embeddings", 16},
                           {"rope_scaling", {{"type", "longrope"}, {"short_factor", {1, 2, 3, 4, 5}}, {"long_factor", {2, 3, 4, 5, 6}}}}}),
      read_family("phi3",
                  {{"original_max_position_embeddings", 8},
                   {"rope_scaling", {{"type", "longrope"}, {"short_factor", {1, 2}}, {"long_factor", {2, 3}}, {"attention_factor", 1.5}}}}),
      read_family("gemma", {{"head_dim", 6}, {"attention_bias", true}}),
      read_family("smollm3", {{"use_sliding_window", true}, {"sliding_window", 5}, {"attention_bias", true}}),
      read_family("gemma2", {{"attn_logit_softcapping", nullptr}, {"query_pre_attn_scalar", 224}, {"hidden_activation", "gelu"}}),
      read_family("gemma3_text", {{"sliding_window", 5}, {"final_logit_softcapping", 20.0}, {"sliding_window_pattern", 2}}),
      read_family("gemma3_text", {{"rope_parameters", nested}}),
  };
  for (const LanguageModelConfig& config : configs) {
    write_language_model_config(config, "AnyClass", folder);
    const LanguageModelConfig again = read_language_model_config(folder);
    EXPECT_EQ(again.model_type, config.model_type);
    EXPECT_EQ(again.head_dim, config.head_dim) << config.model_type;
    EXPECT_EQ(again.windows, config.windows) << config.model_type;
    EXPECT_EQ(again.rotated, config.rotated) << config.model_type;
    EXPECT_EQ(again.rotary_dim, config.rotary_dim) << config.model_type;
    EXPECT_EQ(again.qk_norm, config.qk_norm) << config.model_type;
    EXPECT_EQ(again.norms_around, config.norms_around);
    EXPECT_EQ(again.norm_offset, config.norm_offset);
    EXPECT_EQ(again.embedding_scale, config.embedding_scale);
    EXPECT_DOUBLE_EQ(again.attention_scale, config.attention_scale);
    EXPECT_EQ(again.attention_cap, config.attention_cap);
    EXPECT_EQ(again.logit_cap, config.logit_cap);
    EXPECT_EQ(again.attention_bias, config.attention_bias);
    EXPECT_EQ(again.output_bias, config.output_bias);
    EXPECT_EQ(again.hidden_act, config.hidden_act);
    EXPECT_EQ(again.rope_theta, config.rope_theta);
    EXPECT_EQ(again.local_rope.has_value(), config.local_rope.has_value());
    if (config.local_rope) {
      EXPECT_EQ(again.local_rope->theta, config.local_rope->theta);
      EXPECT_EQ(again.local_rope->scaling.has_value(), config.local_rope->scaling.has_value());
    }
    ASSERT_EQ(again.rope_scaling.has_value(), config.rope_scaling.has_value());
    if (config.rope_scaling) {
      EXPECT_EQ(again.rope_scaling->rope_type, config.rope_scaling->rope_type);
      EXPECT_EQ(again.rope_scaling->attention_factor, config.rope_scaling->attention_factor);
      EXPECT_EQ(again.rope_scaling->truncate, config.rope_scaling->truncate);
      EXPECT_EQ(again.rope_scaling->short_factors, config.rope_scaling->short_factors);
      EXPECT_EQ(again.rope_scaling->long_factors, config.rope_scaling->long_factors);
    }
  }
}

TEST(DecoderFamilies, Phi3HasFusedMaps) {
  const auto projections = decoder_projections(read_family("phi3"));
  ASSERT_EQ(projections.size(), 4U);
  EXPECT_EQ(projections[0].module, "self_attn.qkv_proj");
  EXPECT_EQ(projections[0].out, 48);  // 8 heads of queries, 2 of keys and 2 of values, of 4 numbers
  EXPECT_EQ(projections[2].out, 128);
  EXPECT_THAT(read_family("phi3").windows, IsEmpty());
}

// Phi-4 mini and the models of Phi-3 for 128k tokens.
TEST(DecoderFamilies, Phi3RotatesPartOfAHeadAndHasLongropes) {
  const json scaling = {{"type", "longrope"}, {"short_factor", {1, 1.5, 2}}, {"long_factor", {4, 5.5, 6}}};
  const json changes = {{"head_dim", 8},
                        {"partial_rotary_factor", 0.75},
                        {"original_max_position_embeddings", 16},
                        {"rope_scaling", scaling},
                        {"full_attn_mod", 1},
                        {"interpolate_factor", 1},
                        {"lm_head_bias", false},
                        {"attention_bias", false},
                        {"mlp_bias", false}};
  const LanguageModelConfig config = read_family("phi3", changes);
  EXPECT_EQ(config.rotary_dim, 6);
  EXPECT_EQ(config.rotated_width(), 6);
  EXPECT_THAT(config.rope_scaling->short_factors, ElementsAre(1, 1.5, 2));
  EXPECT_THAT(config.rope_scaling->long_factors, ElementsAre(4, 5.5, 6));
  EXPECT_EQ(config.rope_scaling->original_max_position_embeddings, 16);
  EXPECT_DOUBLE_EQ(config.rope_scaling->attention_factor, std::sqrt(1 + std::log(4.0) / std::log(16.0))) << "64 positions over 16";

  const auto read_changed = [&](const char* key, const json& value) {
    json changed = changes;
    changed["rope_scaling"][key] = value;
    return family_refusal("phi3", changed);
  };
  const auto with_factor = [&](const char* key, double value) {
    json changed = changes;
    changed["rope_scaling"][key] = value;
    return read_family("phi3", changed).rope_scaling->attention_factor;
  };
  EXPECT_EQ(with_factor("attention_factor", 1.5), 1.5);
  EXPECT_DOUBLE_EQ(with_factor("factor", 2), std::sqrt(1 + std::log(2.0) / std::log(16.0)));
  EXPECT_EQ(with_factor("factor", 0.5), 1);
  for (const char* older : {"su", "yarn"}) EXPECT_EQ(read_changed("type", older), "no error");
  EXPECT_THAT(read_changed("type", "linear"), HasSubstr("expected rope_type to be default or longrope in phi3, found 'linear'"));
  EXPECT_THAT(read_changed("short_factor", {1, 2}), HasSubstr("expected short_factor to be a list of 3 positive numbers"));
  EXPECT_THAT(read_changed("long_factor", {1, 2, -1}), HasSubstr("expected long_factor to be a list of 3 positive numbers"));
  EXPECT_THAT(read_changed("long_factor", nullptr), HasSubstr("expected the key long_factor, found none"));
  EXPECT_THAT(read_changed("original_max_position_embeddings", 32), HasSubstr("to be the same as outside, 16, found 32"));
  EXPECT_THAT(read_changed("beta_fast", 3), HasSubstr("expected no key \"beta_fast\""));

  json inside = {{"head_dim", 8}, {"rope_parameters", {{"rope_theta", 500}, {"partial_rotary_factor", 0.5}}}};
  EXPECT_EQ(read_family("phi3", inside).rotary_dim, 4);
  EXPECT_EQ(read_family("phi3", inside).rope_theta, 500);
  EXPECT_EQ(read_family("phi3", {{"partial_rotary_factor", 1}}).rotary_dim, 0);
  for (const double share : {0.75, 1.5, 0.1}) {
    EXPECT_THAT(family_refusal("phi3", {{"partial_rotary_factor", share}}), HasSubstr("rotates an even number of the 4 numbers of a head"));
  }
  EXPECT_THAT(family_refusal("phi3", {{"interpolate_factor", 2}}), HasSubstr("expected interpolate_factor = 1, found 2"));
}

TEST(DecoderFamilies, TheFirstGemmaIsLlamaWithScales) {
  const LanguageModelConfig config = read_family("gemma", {{"hidden_act", "gelu"}, {"hidden_activation", nullptr}});
  EXPECT_EQ(config.hidden_act, "gelu_new") << "as the reference library has it";
  EXPECT_EQ(config.norm_offset, 1);
  EXPECT_EQ(config.embedding_scale, std::sqrt(32.0));
  EXPECT_EQ(config.attention_scale, 0);
  EXPECT_FALSE(config.norms_around);
  EXPECT_EQ(config.logit_cap, 0);
  EXPECT_EQ(config.head_dim, 256);
  EXPECT_TRUE(config.tie_word_embeddings);
  EXPECT_THAT(config.windows, IsEmpty());
  EXPECT_EQ(read_family("gemma").hidden_act, "gelu_new");
  EXPECT_EQ(read_family("gemma", {{"hidden_act", "silu"}}).hidden_act, "silu");
  EXPECT_THAT(family_refusal("gemma", {{"hidden_act", "silu"}, {"hidden_activation", "gelu_pytorch_tanh"}}),
              HasSubstr("expected hidden_act and hidden_activation to be the same, found silu and gelu_new"));
  EXPECT_THAT(family_refusal("gemma", {{"final_logit_softcapping", 30.0}}), HasSubstr("\"final_logit_softcapping\""));
}

TEST(DecoderFamilies, NameTheirNorms) {
  const auto names = [](const LanguageModelConfig& config) {
    std::vector<std::string> norms;
    for (const Slice& slice : decoder_slices(config)) {
      if (slice.shape.size() == 1 && slice.name.starts_with("model.layers.0.")) norms.push_back(slice.name.substr(15));
    }
    return norms;
  };
  EXPECT_THAT(names(read_family("mistral")), ElementsAre("input_layernorm.weight", "post_attention_layernorm.weight"));
  EXPECT_THAT(names(read_family("qwen3")), ElementsAre("input_layernorm.weight", "self_attn.q_norm.weight", "self_attn.k_norm.weight",
                                                       "post_attention_layernorm.weight"));
  EXPECT_THAT(names(read_family("gemma2")), ElementsAre("input_layernorm.weight", "post_attention_layernorm.weight",
                                                        "pre_feedforward_layernorm.weight", "post_feedforward_layernorm.weight"));
}

}  // namespace
}  // namespace paretofl
