#include "paretofl/model_files/convert_dtype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/model_files/stored_numbers.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

TEST(StoredNumbers, RoundToNearestEven) {
  const std::vector<float> numbers = {1, -2.5F, 1.00390625F, 1.01171875F, 65504, 1e-8F, std::numeric_limits<float>::infinity()};
  const StoredTensor tensor{.type = TensorType::kFloat32, .shape = {7}, .bytes = std::as_bytes(std::span(numbers))};
  const auto through = [&](TensorType type) {
    const std::vector<std::byte> bytes = stored_as(tensor, type, "x");
    return to_float32({.type = type, .shape = {7}, .bytes = bytes}, "x");
  };
  // bfloat16 has steps of 1/128 above 1: halfway cases go to the even neighbour.
  EXPECT_THAT(through(TensorType::kBfloat16),
              testing::ElementsAre(1, -2.5F, 1, 1.015625F, 65536, testing::FloatNear(1e-8F, 1e-10F), numbers[6]));
  EXPECT_THAT(through(TensorType::kFloat16), testing::ElementsAre(1, -2.5F, 1.00390625F, 1.01171875F, 65504, 0, numbers[6]));
  EXPECT_EQ(through(TensorType::kFloat64), numbers);
  EXPECT_EQ(through(TensorType::kFloat32), numbers);
  const StoredTensor integers{.type = TensorType::kInt32, .shape = {7}, .bytes = tensor.bytes};
  EXPECT_THROW(to_float32(integers, "x"), Error);
  EXPECT_THROW(floating_type("int8"), Error);
}

/// A folder with a random model's files.
fs::path model_folder() {
  const fs::path folder = testing::TempDir() + "convert_dtype_model";
  fs::create_directories(folder);
  const LanguageModelConfig config = tiny_config("llama");
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : decoder_slices(config)) {
    Random random({4}, slice.name);
    std::vector<float>& numbers = values[slice.name];
    std::int64_t count = 1;
    for (const std::int64_t extent : slice.shape) count *= extent;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(0.3 * random.normal()));
    tensors[slice.name] = {.type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(std::span(numbers))};
  }
  write_safetensors(folder / "model.safetensors", tensors);
  write_language_model_config(config, "LlamaForCausalLM", folder);
  for (const char* name : {"tokenizer_config.json", "chat_template.jinja"}) std::ofstream(folder / name) << "{}";
  return folder;
}

TEST(ConvertDtype, KeepsTheModelUpToRounding) {
  const fs::path folder = model_folder();
  const TokenIds prompt = random_tokens(9, 1);
  const std::vector<float> expected = load_causal_lm(folder, {.rank = 0})->logits(prompt, {});
  for (const std::string dtype : {"float64", "float16", "bfloat16", "float32"}) {
    const fs::path converted = testing::TempDir() + "convert_dtype_" + dtype;
    convert_dtype(folder, converted, dtype);
    for (const char* name : {"tokenizer_config.json", "chat_template.jinja"}) EXPECT_TRUE(fs::exists(converted / name)) << name;
    const std::vector<float> logits = load_causal_lm(converted, {.rank = 0})->logits(prompt, {});
    const bool exact = dtype == "float64" || dtype == "float32";
    if (exact) {
      EXPECT_EQ(logits, expected) << dtype;
      continue;
    }
    EXPECT_NE(logits, expected) << dtype;
    for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_NEAR(logits[i], expected[i], dtype == "float16" ? 0.02 : 0.15) << dtype;
    if (dtype == "bfloat16") {  // what the placement rounds to is what the file holds
      EXPECT_EQ(load_causal_lm(folder, {.rank = 0}, {.dtype = "bfloat16"})->logits(prompt, {}), logits);
    }
  }
  EXPECT_THROW(convert_dtype(folder, folder / ".", "float16"), Error);
  EXPECT_THROW(convert_dtype(folder / "absent", testing::TempDir() + "convert_none", "float16"), Error);
}

TEST(ConvertDtype, AnAdapterStillFindsTheBaseInItsFolder) {
  const fs::path folder = testing::TempDir() + "convert_dtype_adapter", converted = testing::TempDir() + "convert_dtype_adapter_half";
  fs::create_directories(folder / "base");
  const std::vector<float> numbers(4, 1.5F);
  write_safetensors(folder / "adapter_model.safetensors",
                    {{"x", {.type = TensorType::kFloat32, .shape = {4}, .bytes = std::as_bytes(std::span(numbers))}}});
  const auto base_after = [&](const std::string& base) {
    std::ofstream(folder / "adapter_config.json") << nlohmann::json{{"base_model_name_or_path", base}, {"r", 2}};
    convert_dtype(folder, converted, "float16");
    std::ifstream file(converted / "adapter_config.json");
    const auto config = nlohmann::json::parse(file);
    EXPECT_EQ(config.at("r"), 2);
    return config.at("base_model_name_or_path").get<std::string>();
  };
  EXPECT_EQ(base_after("base"), fs::absolute(folder / "base").lexically_normal().string());
  EXPECT_EQ(base_after("organization/model"), "organization/model") << "a published name stays";
}

TEST(LoadCausalLm, NamesWhatDoesNotFitTheConfig) {
  const fs::path folder = testing::TempDir() + "load_wrong_shape";
  fs::create_directories(folder);
  fs::copy_file(model_folder() / "model.safetensors", folder / "model.safetensors", fs::copy_options::overwrite_existing);
  const auto message = [&](const LanguageModelConfig& config) -> std::string {
    write_language_model_config(config, "LlamaForCausalLM", folder);
    try {
      load_causal_lm(folder, {.rank = 0});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  LanguageModelConfig config = tiny_config("llama");
  EXPECT_EQ(message(config), "no error");
  config.num_hidden_layers = 3;
  EXPECT_THAT(message(config), testing::HasSubstr("model.layers.2."));
  config = tiny_config("llama");
  config.intermediate_size = 41;
  EXPECT_THAT(message(config), testing::HasSubstr("mlp.gate_proj.weight: expected the shape [41, 24], found [40, 24]"));
  EXPECT_THROW(load_causal_lm(folder, {.rank = 0}, {.device = "cuda:99"}), Error);
  EXPECT_THROW(load_causal_lm(folder, {.rank = 0}, {.dtype = "int8"}), Error);
}

}  // namespace
}  // namespace paretofl
