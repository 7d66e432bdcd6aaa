#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/parameters.h"
#include "paretofl/data/prompt_set.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/registry/options.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// Which language model a workload trains, and by which adapter.
struct LanguageBaseOptions {
  std::string model = {};  ///< folder; empty: a small one of random parameters that reads bytes
  std::string device = "cpu";
  std::string dtype = "float32";
  bool gradient_checkpointing = false;
  bool shared_prompts = false;
  std::int64_t lora_rank = 16;
  double lora_alpha = 32;
  double lora_dropout = 0.05;
  std::string lora_projections = "q_proj,k_proj,v_proj,o_proj";

  void describe(OptionVisitor& visit);
};

/// A frozen language model, which all clients share, with its tokenizer and the layout of the adapter that is trained.
/// Immutable, and safe to share between threads.
class LanguageBase {
 public:
  /// Throws Error if the model or its tokenizer is missing, or they don't fit each other.
  LanguageBase(const LanguageBaseOptions& options, std::uint64_t seed);

  const std::string& folder() const { return options_.model; }  ///< empty: the model of random parameters
  const std::shared_ptr<const CausalLm>& model() const { return model_; }
  const std::shared_ptr<const Tokenizer>& tokenizer() const { return tokenizer_; }
  const std::shared_ptr<const Layout>& layout() const { return model_->adapter_layout(); }

  /// A fresh adapter, which changes nothing yet.
  Parameters initial_parameters() const;
  /// What ends a completion: the model's and the tokenizer's ends of sequence.
  std::vector<TokenId> stop_tokens() const;

  /// Throws Error unless prompts and completions of these lengths fit the model's positions; `option` is what the completions' is called.
  void expect_positions(std::int64_t max_prompt_tokens, std::int64_t max_completion_tokens, const char* option) const;
  /// Throws Error unless completions of so many tokens can be drawn of each of these prompts: with LongRoPE, not across the original length
  /// (may_cross_original_length). `option` is what the completions' length is called.
  void expect_one_rope(std::span<const Prompt> prompts, std::int64_t max_completion_tokens, const char* option) const;

  /// Writes theta [d] into an existing folder, in the PEFT layout, which names the base model's folder. A base model of random
  /// parameters is written into the folder `base` in it, with its tokenizer.
  void write_adapter(std::span<const float> theta, const std::filesystem::path& folder) const;

 private:
  LanguageBaseOptions options_;
  LoraOptions lora_;
  std::uint64_t seed_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const CausalLm> model_;
};

}  // namespace paretofl
