#include "paretofl/model_files/llama2c.h"

#include <array>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kHeaderNumbers = 7;

// The tensors of the file one after another.
class Floats {
 public:
  explicit Floats(std::span<const std::byte> bytes) : left_(bytes) {}

  std::vector<float> take(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), left_.data(), values.size() * sizeof(float));
    left_ = left_.subspan(values.size() * sizeof(float));
    return values;
  }

 private:
  std::span<const std::byte> left_;
};

LanguageModelConfig config_of(const std::array<std::int32_t, kHeaderNumbers>& header, const std::string& name) {
  constexpr std::array<const char*, kHeaderNumbers> kNames = {"dim",        "hidden_dim", "n_layers", "n_heads",
                                                              "n_kv_heads", "vocab_size", "seq_len"};
  constexpr std::int64_t kMaxExtent = 1 << 20;  // products of four stay far from overflow
  std::array<std::int64_t, kHeaderNumbers> sizes{};
  for (std::size_t i = 0; i < kHeaderNumbers; ++i) {
    sizes[i] = i == 5 ? std::abs(static_cast<std::int64_t>(header[i])) : header[i];
    expect(sizes[i] >= 1 && sizes[i] <= kMaxExtent, "{}: expected {} from 1 to {}, found {}", name, kNames[i], kMaxExtent, header[i]);
  }
  expect(sizes[0] % sizes[3] == 0 && sizes[0] / sizes[3] % 2 == 0, "{}: expected heads of an even width that divide dim {}, found {} heads",
         name, sizes[0], sizes[3]);
  expect(sizes[3] % sizes[4] == 0, "{}: expected key-value heads that divide the {} heads, found {}", name, sizes[3], sizes[4]);
  return {.model_type = "llama",
          .vocab_size = sizes[5],
          .hidden_size = sizes[0],
          .intermediate_size = sizes[1],
          .num_hidden_layers = sizes[2],
          .num_attention_heads = sizes[3],
          .num_key_value_heads = sizes[4],
          .head_dim = sizes[0] / sizes[3],
          .max_position_embeddings = sizes[6],
          .rope_scaling = {},
          .tie_word_embeddings = header[5] > 0,
          .bos_token_id = 1,
          .eos_token_ids = {2},
          .pad_token_id = {}};
}

// Rows 2 i and 2 i + 1 of every head to rows i and i + width / 2.
std::vector<float> halves(const std::vector<float>& rows, std::size_t columns, std::size_t width) {
  std::vector<float> result(rows.size());
  for (std::size_t row = 0; row < rows.size() / columns; ++row) {
    const std::size_t within = row % width;
    const std::size_t target = row - within + within / 2 + within % 2 * (width / 2);
    std::memcpy(result.data() + target * columns, rows.data() + row * columns, columns * sizeof(float));
  }
  return result;
}

}  // namespace

Llama2cModel parse_llama2c(std::span<const std::byte> bytes, const std::string& name) {
  std::array<std::int32_t, kHeaderNumbers> header{};
  expect(bytes.size() >= sizeof header, "{}: expected a header of {} bytes, found {}", name, sizeof header, bytes.size());
  std::memcpy(header.data(), bytes.data(), sizeof header);
  Llama2cModel model{.config = config_of(header, name), .tensors = {}};
  const LanguageModelConfig& config = model.config;
  const std::int64_t layers = config.num_hidden_layers;
  // The file's own order: all layers of one kind together. Extents are at most 2^20, so a double holds the sum well enough
  // to refuse, and small sums exactly.
  struct Kind {
    const char* module;
    std::int64_t rows, columns;
  };
  const std::int64_t width = config.hidden_size;
  const std::int64_t pairs = config.num_key_value_heads * config.head_dim;
  const std::int64_t inner = config.intermediate_size;
  const std::array<Kind, 9> kinds = {{{"input_layernorm", 1, width},
                                      {"self_attn.q_proj", width, width},
                                      {"self_attn.k_proj", pairs, width},
                                      {"self_attn.v_proj", pairs, width},
                                      {"self_attn.o_proj", width, width},
                                      {"post_attention_layernorm", 1, width},
                                      {"mlp.gate_proj", inner, width},
                                      {"mlp.down_proj", width, inner},
                                      {"mlp.up_proj", inner, width}}};
  const std::int64_t tables = config.max_position_embeddings * config.head_dim;  // rotations, which nobody reads any more
  const std::int64_t tokens = config.vocab_size * width;
  double numbers = static_cast<double>(tokens + width + tables + (config.tie_word_embeddings ? 0 : tokens));
  for (const Kind& kind : kinds) numbers += static_cast<double>(layers) * static_cast<double>(kind.rows * kind.columns);
  expect(4 * numbers + sizeof header == static_cast<double>(bytes.size()), "{}: expected {:.0f} bytes by its header, found {}", name,
         4 * numbers + sizeof header, bytes.size());
  Floats floats(bytes.subspan(sizeof header));
  model.tensors["model.embed_tokens.weight"] = floats.take(tokens);
  for (const Kind& kind : kinds) {
    for (std::int64_t l = 0; l < layers; ++l) {
      std::vector<float> values = floats.take(kind.rows * kind.columns);
      const std::string module = kind.module;
      if (module == "self_attn.q_proj" || module == "self_attn.k_proj") {
        values = halves(values, static_cast<std::size_t>(width), static_cast<std::size_t>(config.head_dim));
      }
      model.tensors[fmt::format("model.layers.{}.{}.weight", l, module)] = std::move(values);
    }
  }
  model.tensors["model.norm.weight"] = floats.take(width);
  floats.take(tables);
  if (!config.tie_word_embeddings) model.tensors["lm_head.weight"] = floats.take(tokens);
  return model;
}

void convert_llama2c(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::string content = read_text(file);
  const Llama2cModel model = parse_llama2c(std::as_bytes(std::span(content)), file.string());
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  expect(!failure, "{}: expected a folder that can be made, found: {}", folder.string(), failure.message());
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : decoder_slices(model.config)) {
    tensors[slice.name] = {
        .type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(std::span(model.tensors.at(slice.name)))};
  }
  write_safetensors(folder / "model.safetensors", tensors);
  write_language_model_config(model.config, "LlamaForCausalLM", folder);
}

}  // namespace paretofl
