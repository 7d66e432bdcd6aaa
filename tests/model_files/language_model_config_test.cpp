#include "paretofl/model_files/language_model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using nlohmann::json;

json llama_config() {
  return {{"model_type", "llama"},   {"vocab_size", 100},      {"hidden_size", 32},
          {"intermediate_size", 64}, {"num_hidden_layers", 2}, {"num_attention_heads", 4},
          {"rms_norm_eps", 1e-5},    {"hidden_act", "silu"},   {"max_position_embeddings", 64}};
}

json deberta() {
  return {{"model_type", "deberta-v2"},
          {"vocab_size", 100},
          {"hidden_size", 32},
          {"intermediate_size", 64},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"layer_norm_eps", 1e-7},
          {"hidden_act", "gelu"},
          {"max_position_embeddings", 64},
          {"position_buckets", 16},
          {"max_relative_positions", -1},
          {"relative_attention", true},
          {"share_att_key", true},
          {"position_biased_input", false},
          {"pos_att_type", "p2c|c2p"},
          {"norm_rel_ebd", "layer_norm"}};
}

std::string refusal(const json& config) {
  try {
    parse_language_model_config(config.dump(), "config.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LanguageModelConfig, FillsInWhatFamiliesLeaveOut) {
  const LanguageModelConfig config = parse_language_model_config(llama_config().dump(), "x");
  EXPECT_EQ(config.num_key_value_heads, 4);
  EXPECT_EQ(config.head_dim, 8);
  EXPECT_EQ(config.rope_theta, 10000);
  EXPECT_FALSE(config.tie_word_embeddings);
  EXPECT_FALSE(config.bos_token_id.has_value());
  const json gpt2 = {{"model_type", "gpt2"}, {"vocab_size", 100}, {"n_embd", 32},       {"n_layer", 2},
                     {"n_head", 4},          {"n_positions", 64}, {"n_inner", nullptr}, {"activation_function", "gelu_new"}};
  const LanguageModelConfig second = parse_language_model_config(gpt2.dump(), "x");
  EXPECT_EQ(second.intermediate_size, 128);
  EXPECT_TRUE(second.tie_word_embeddings);
  EXPECT_EQ(parse_language_model_config(deberta().dump(), "x").max_relative_positions, 64);
}

TEST(LanguageModelConfig, ReadsBothWaysToWriteRopeScaling) {
  json config = llama_config();
  const json scaling = {
      {"rope_type", "llama3"}, {"factor", 4}, {"low_freq_factor", 1}, {"high_freq_factor", 2}, {"original_max_position_embeddings", 16}};
  config["rope_theta"] = 5e5;
  config["rope_scaling"] = scaling;
  const LanguageModelConfig first = parse_language_model_config(config.dump(), "x");
  EXPECT_EQ(first.rope_theta, 5e5);
  EXPECT_EQ(first.rope_scaling->factor, 4);
  json newer = llama_config();
  newer["rope_parameters"] = scaling;
  newer["rope_parameters"]["rope_theta"] = 5e5;
  const LanguageModelConfig second = parse_language_model_config(newer.dump(), "x");
  EXPECT_EQ(second.rope_theta, 5e5);
  EXPECT_EQ(second.rope_scaling->original_max_position_embeddings, 16);
}

TEST(LanguageModelConfig, IsReadAsItWasWritten) {
  const std::filesystem::path folder = testing::TempDir() + "language_model_config";
  std::filesystem::create_directories(folder);
  json scaled = llama_config();
  scaled["rope_scaling"] = {
      {"rope_type", "llama3"}, {"factor", 4}, {"low_freq_factor", 1}, {"high_freq_factor", 2}, {"original_max_position_embeddings", 16}};
  scaled["eos_token_id"] = {3, 4};
  scaled["head_dim"] = 6;
  json qwen2 = llama_config();
  qwen2["model_type"] = "qwen2";
  qwen2["num_key_value_heads"] = nullptr;
  qwen2["eos_token_id"] = 5;
  const json gpt2 = {
      {"model_type", "gpt2"},          {"vocab_size", 100}, {"n_embd", 32}, {"n_layer", 2}, {"n_head", 4}, {"n_positions", 64},
      {"activation_function", "gelu"}, {"pad_token_id", 9}};
  json pooled = deberta();
  pooled["pooler_hidden_act"] = "tanh";
  for (const json& text : {scaled, qwen2, gpt2, pooled}) {
    const LanguageModelConfig config = parse_language_model_config(text.dump(), "x");
    write_language_model_config(config, "AnyClass", folder);
    const LanguageModelConfig again = read_language_model_config(folder);
    write_language_model_config(again, "AnyClass", folder / ".");
    EXPECT_EQ(again.model_type, config.model_type);
    EXPECT_EQ(again.head_dim, config.head_dim);
    EXPECT_EQ(again.intermediate_size, config.intermediate_size);
    EXPECT_EQ(again.max_position_embeddings, config.max_position_embeddings);
    EXPECT_EQ(again.max_relative_positions, config.max_relative_positions);
    EXPECT_EQ(again.position_buckets, config.position_buckets);
    EXPECT_EQ(again.attention_bias, config.attention_bias);
    EXPECT_EQ(again.tie_word_embeddings, config.tie_word_embeddings);
    EXPECT_EQ(again.hidden_act, config.hidden_act);
    EXPECT_EQ(again.pooler_hidden_act, config.pooler_hidden_act);
    EXPECT_EQ(again.eos_token_ids, config.eos_token_ids);
    EXPECT_EQ(again.pad_token_id, config.pad_token_id);
    EXPECT_EQ(again.rope_scaling.has_value(), config.rope_scaling.has_value());
    EXPECT_EQ(again.norm_epsilon, config.norm_epsilon);
  }
}

struct Wrong {
  const char* key;
  json value;  ///< null: left out
  const char* message;
};

TEST(LanguageModelConfig, NamesWhatIsWrong) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {"model_type", "mamba", "phi3, gemma, gemma2, gemma3_text, gpt2 or deberta-v2, found 'mamba'"},
           {"vocab_size", nullptr, "expected the key vocab_size, found none"},
           {"hidden_size", 0, "expected hidden_size to be an integer from 1"},
           {"num_hidden_layers", 10001, "expected num_hidden_layers to be an integer from 1 to 10000"},
           {"hidden_size", 1.5, "expected hidden_size to be an integer from 1"},
           {"hidden_size", 18446744073709551615ULL, "expected hidden_size to be an integer from 1"},
           {"num_key_value_heads", 3, "expected key-value heads that divide"},
           {"head_dim", 7, "expected an even head_dim, found 7"},
           {"rms_norm_eps", -1, "expected rms_norm_eps to be a positive number that float32 holds, found -1"},
           {"hidden_act", "relu", "expected hidden_act to be one of silu, gelu, gelu_new, found 'relu'"},
           {"mlp_bias", true, "expected mlp_bias = false, found true, which is not supported"},
           {"tie_word_embeddings", 1, "expected tie_word_embeddings to be true or false, found 1"},
           {"eos_token_id", "end", "expected eos_token_id to be an integer"},
           {"rope_scaling", {{"type", "longrope"}}, "expected rope_type to be default, linear, dynamic, yarn or llama3, found 'longrope'"},
           {"rope_scaling", {{"type", "yarn"}}, "expected the key factor, found none"},
           {"rope_scaling", {{"type", "llama3"}}, "expected the key factor, found none"}}) {
    json config = llama_config();
    if (wrong.value.is_null()) {
      config.erase(wrong.key);
    } else {
      config[wrong.key] = wrong.value;
    }
    EXPECT_THAT(refusal(config), testing::HasSubstr(wrong.message));
  }
  for (const Wrong& wrong :
       std::vector<Wrong>{{"pos_att_type", "c2p", "expected pos_att_type to be p2c and c2p, found 'c2p'"},
                          {"share_att_key", false, "expected share_att_key = true, found false"},
                          {"position_biased_input", true, "expected position_biased_input = false, found true"},
                          {"conv_kernel_size", 3, "expected conv_kernel_size = 0, found 3"},
                          {"hidden_size", 30, "expected a hidden size that the attention heads divide, found 30 and 4"}}) {
    json config = deberta();
    config[wrong.key] = wrong.value;
    EXPECT_THAT(refusal(config), testing::HasSubstr(wrong.message));
  }
  EXPECT_THAT(refusal(json::array()), testing::HasSubstr("expected a JSON object, found array"));
  EXPECT_THROW(read_language_model_config("/nowhere"), Error);
}

}  // namespace
}  // namespace paretofl
