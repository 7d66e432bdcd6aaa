#include "paretofl/completions/language_base.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/data/listed_names.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/language/model_folder.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/language/rope.h"
#include "paretofl/tokenizers/byte_tokenizer.h"

namespace paretofl {
namespace {

/// The model that needs no file.
LanguageModelConfig small_config() {
  LanguageModelConfig config;
  config.vocab_size = static_cast<std::int64_t>(ByteTokenizer::kVocabularySize);
  config.hidden_size = 32;
  config.intermediate_size = 64;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 2048;
  config.tie_word_embeddings = true;
  config.initializer_range = 0.2;  // so that tokens differ in probability and an adapter can move them
  config.bos_token_id = ByteTokenizer::kBeginning;
  config.eos_token_ids = {ByteTokenizer::kEnd};
  return config;
}

Random base_random(std::uint64_t seed) { return Random({seed, 0, kServerStream}, "base model"); }

constexpr const char* kRandomBase = "base";

}  // namespace

void LanguageBaseOptions::describe(OptionVisitor& visit) {
  visit.text("model", model, "folder of the language model; empty: a small one of random parameters that reads bytes");
  visit.text("device", device, "where models compute: cpu, cuda or cuda:N");
  visit.choice("dtype", dtype, {"float32", "bfloat16", "float64"}, "number format of the base parameters");
  visit.boolean("gradient_checkpointing", gradient_checkpointing,
                "training passes keep only what goes into each layer and compute layers again: less memory, more time, the same result");
  visit.boolean(
      "shared_prompts", shared_prompts,
      "training passes compute equal prompts of a batch once: less time and memory, the same result but for rounding; with dropout, "
      "the completions of a prompt share its masks");
  visit.integer("lora_rank", lora_rank, 1, kMaxInt, "rank of the adapters");
  visit.real("lora_alpha", lora_alpha, 0, kInfinity, "alpha: an adapter's product is multiplied by alpha / rank");
  visit.real("lora_dropout", lora_dropout, 0, 0.99, "share of an adapter's inputs that are dropped in training");
  visit.text(
      "lora_projections", lora_projections,
      "projections with adapters: all-linear, or names such as q_proj or, of one layer, layers.1.self_attn.q_proj, separated by commas");
}

LanguageBase::LanguageBase(const LanguageBaseOptions& options, std::uint64_t seed)
    : options_(options),
      lora_{options.lora_rank, options.lora_alpha, options.lora_dropout,
            listed_names("workload.lora_projections", options.lora_projections)},
      seed_(seed) {
  expect(!lora_.projections.empty(), "workload.lora_projections: expected at least one, found none");
  const ModelPlacement placement{options.device, options.dtype, options.gradient_checkpointing, options.shared_prompts};
  if (options.model.empty()) {
    tokenizer_ = std::make_shared<ByteTokenizer>();
    model_ = random_causal_lm(small_config(), base_random(seed_), lora_, placement);
  } else {
    expect(std::filesystem::is_directory(options.model),
           "workload.model: expected a language model's folder, found none at {}; an empty one (--set workload.model=) makes a tiny model "
           "with "
           "random parameters",
           options.model);
    tokenizer_ = load_tokenizer(options.model);
    model_ = load_causal_lm(options.model, lora_, placement);
  }
  expect(static_cast<std::int64_t>(tokenizer_->vocabulary_size()) <= model_->config().vocab_size,
         "workload.model: expected a tokenizer of at most {} tokens, found {}", model_->config().vocab_size, tokenizer_->vocabulary_size());
}

Parameters LanguageBase::initial_parameters() const {
  Parameters parameters(layout());
  model_->initialize_adapter(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

std::vector<TokenId> LanguageBase::stop_tokens() const {
  std::vector<TokenId> stop = model_->config().eos_token_ids;
  if (const auto end = tokenizer_->end_of_sequence(); end && std::find(stop.begin(), stop.end(), *end) == stop.end()) stop.push_back(*end);
  return stop;
}

void LanguageBase::expect_positions(std::int64_t max_prompt_tokens, std::int64_t max_completion_tokens, const char* option) const {
  expect(max_prompt_tokens + max_completion_tokens <= model_->config().max_position_embeddings,
         "workload: expected max_prompt_tokens + {} of at most the model's {} positions, found {} + {}{}", option,
         model_->config().max_position_embeddings, max_prompt_tokens, max_completion_tokens,
         folder().empty() ? "; workload.model is not set" : "");
}

void LanguageBase::expect_one_rope(std::span<const Prompt> prompts, std::int64_t max_completion_tokens, const char* option) const {
  for (const Prompt& prompt : prompts) {
    const auto length = static_cast<std::int64_t>(prompt.ids.size());
    if (!may_cross_original_length(model_->config(), length, max_completion_tokens)) continue;
    throw Error(
        fmt::format("workload: expected prompts of more than {} tokens, or of at most as many with {}, since the model's longrope has "
                    "other frequencies "
                    "beyond them, found one of {} with {} to come; set a smaller max_prompt_tokens or {}",
                    model_->config().rope_scaling->original_max_position_embeddings, option, length, max_completion_tokens, option));
  }
}

void LanguageBase::write_adapter(std::span<const float> theta, const std::filesystem::path& folder) const {
  std::string base = kRandomBase;
  if (options_.model.empty()) {
    const auto decoder = make_trainable_decoder(model_->config(), DecoderHead::kLanguage);
    std::vector<float> parameters(decoder->layout()->size());
    decoder->initialize(base_random(seed_), parameters);
    write_decoder_folder(*decoder, DecoderHead::kLanguage, parameters, folder / base);
    write_whole_file(folder / base / "tokenizer.json", ByteTokenizer::tokenizer_json());
  } else {
    std::error_code failure;
    base = std::filesystem::canonical(options_.model, failure).string();
    expect(!failure, "{}: expected the base model's folder, found: {}", options_.model, failure.message());
  }
  write_peft_adapter(folder, *layout(), lora_, theta, model_->config().model_type, base);
}

}  // namespace paretofl
