#include "paretofl/model_files/llama2c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

std::vector<std::byte> checkpoint(std::array<std::int32_t, 7> header, std::size_t floats) {
  std::vector<std::byte> bytes(sizeof header + floats * sizeof(float));
  std::memcpy(bytes.data(), header.data(), sizeof header);
  for (std::size_t i = 0; i < floats; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(bytes.data() + sizeof header + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::string checkpoint_error(const std::vector<std::byte>& bytes) {
  try {
    parse_llama2c(bytes, "file");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// dim 4, hidden 3, one layer, one head, vocabulary 2, two positions: 8 + 4 + 4 * 16 + 4 + 3 * 12 + 4 + 2 * 4 floats.
constexpr std::size_t kFloats = 128;

TEST(Llama2c, PutsEveryNumberInItsPlace) {
  const Llama2cModel model = parse_llama2c(checkpoint({4, 3, 1, 1, 1, 2, 2}, kFloats), "file");
  EXPECT_TRUE(model.config.tie_word_embeddings);
  EXPECT_EQ(model.config.head_dim, 4);
  EXPECT_THAT(model.tensors.at("model.embed_tokens.weight"), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(model.tensors.at("model.layers.0.input_layernorm.weight")[0], 8);
  // Rows 0, 2, 1, 3 of the file.
  EXPECT_THAT(model.tensors.at("model.layers.0.self_attn.q_proj.weight"),
              testing::ElementsAre(12, 13, 14, 15, 20, 21, 22, 23, 16, 17, 18, 19, 24, 25, 26, 27));
  EXPECT_EQ(model.tensors.at("model.layers.0.self_attn.v_proj.weight")[0], 44);
  EXPECT_EQ(model.tensors.at("model.layers.0.mlp.gate_proj.weight")[0], 80);
  EXPECT_EQ(model.tensors.at("model.layers.0.mlp.down_proj.weight")[0], 92);
  EXPECT_EQ(model.tensors.at("model.layers.0.mlp.up_proj.weight")[0], 104);
  EXPECT_EQ(model.tensors.at("model.norm.weight")[0], 116);
  EXPECT_FALSE(model.tensors.contains("lm_head.weight"));
  const Llama2cModel untied = parse_llama2c(checkpoint({4, 3, 1, 1, 1, -2, 2}, kFloats + 8), "file");
  EXPECT_THAT(untied.tensors.at("lm_head.weight"), testing::ElementsAre(128, 129, 130, 131, 132, 133, 134, 135));
}

TEST(Llama2c, NamesWhatIsWrong) {
  using testing::HasSubstr;
  EXPECT_THAT(checkpoint_error(std::vector<std::byte>(27)), HasSubstr("expected a header of 28 bytes, found 27"));
  EXPECT_THAT(checkpoint_error(checkpoint({4, 3, 1, 1, 1, 2, 2}, kFloats - 1)), HasSubstr("expected 540 bytes by its header, found 536"));
  EXPECT_THAT(checkpoint_error(checkpoint({4, 3, 1, 1, 1, 2, 2}, kFloats + 1)), HasSubstr("expected 540 bytes by its header, found 544"));
  EXPECT_THAT(checkpoint_error(checkpoint({-4, 3, 1, 1, 1, 2, 2}, kFloats)), HasSubstr("expected dim from 1 to"));
  EXPECT_THAT(checkpoint_error(checkpoint({4, 3, 1, 4, 1, 2, 2}, kFloats)), HasSubstr("expected heads of an even width"));
  EXPECT_THAT(checkpoint_error(checkpoint({8, 3, 1, 4, 3, 2, 2}, kFloats)),
              HasSubstr("expected key-value heads that divide the 4 heads, found 3"));
  EXPECT_THAT(checkpoint_error(checkpoint({1 << 20, 1 << 20, 1 << 20, 1, 1, 1 << 20, 1 << 20}, 0)),
              HasSubstr("bytes by its header, found 28"));
}

TEST(Llama2c, TellsTheStoriesOfTheReference) {
  PARETOFL_NEEDS_DATA("stories260k/stories260K.bin");
  const std::filesystem::path folder = testing::TempDir() + "stories260k";
  convert_llama2c(data_folder() / "stories260k/stories260K.bin", folder);
  const auto model = load_causal_lm(folder, {.rank = 0});
  std::ifstream file(golden_folder() / "stories260k.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  std::vector<TokenIds> prompts;
  for (const auto& run : golden["runs"]) prompts.push_back(run["prompt"].get<TokenIds>());
  const auto completions = model->generate(prompts, {}, {.max_new_tokens = 100, .temperature = 0, .stop = {}}, {}, Random({1}, "test"));
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const auto& run = golden["runs"][i];
    EXPECT_EQ(completions[i].ids, run["greedy"].get<TokenIds>());
    const std::vector<float> logits = model->logits(prompts[i], {});
    const auto expected = run["logits_after_prompt"].get<std::vector<double>>();
    for (std::size_t v = 0; v < expected.size(); ++v) ASSERT_NEAR(logits[logits.size() - expected.size() + v], expected[v], 1e-3);
  }
}

}  // namespace
}  // namespace paretofl
