#include "paretofl/model_files/harmless_keys.h"

namespace paretofl {
namespace {

using Keys = std::vector<std::string_view>;

const Keys& of_every_family() {
  static const Keys kKeys = {
      // Where it comes from and who reads it.
      "_name_or_path", "name_or_path", "_commit_hash", "architectures", "auto_map", "custom_pipelines", "finetuning_task",
      "model_max_length", "problem_type", "tokenizer_class", "transformers.js_config", "transformers_version", "unsloth_fixed",
      "unsloth_version", "label2id", "_num_labels", "loss_type", "prefix", "task_specific_params",
      // How the reference library runs it.
      "_attn_implementation", "_attn_implementation_autoset", "_attn_implementation_internal", "_flash_attn_2_enabled",
      "attn_implementation", "chunk_size_feed_forward", "dtype", "gradient_checkpointing", "is_decoder", "output_attentions",
      "output_hidden_states", "output_past", "return_dict", "tf_legacy_loss", "tie_last_hidden_states", "torch_dtype", "torchscript",
      "use_bfloat16", "use_cache", "use_return_dict",
      // What training alone reads.
      "neftune_noise_alpha", "classifier_dropout", "hidden_dropout",
      // Its defaults for sampling; here every command has options of its own.
      "do_sample", "early_stopping", "diversity_penalty", "length_penalty", "max_length", "max_new_tokens", "min_length", "min_p",
      "num_beam_groups", "num_beams", "num_return_sequences", "output_logits", "output_scores", "remove_invalid_values",
      "encoder_no_repeat_ngram_size", "no_repeat_ngram_size", "repetition_penalty", "return_dict_in_generate", "temperature", "top_k",
      "top_p", "typical_p",
      // Tokens of other tasks.
      "decoder_start_token_id", "sep_token_id"};
  return kKeys;
}

Keys of_family(std::string_view model_type) {
  if (model_type == "llama") return {"attention_dropout", "is_llama_config", "max_sequence_length", "pretraining_tp"};
  if (model_type == "qwen2" || model_type == "qwen3") return {"attention_dropout"};
  if (model_type == "mistral") return {"attention_dropout", "max_sequence_length"};
  if (model_type == "phi3") return {"attention_dropout", "embd_pdrop", "resid_pdrop", "original_max_position_embeddings"};
  if (model_type == "smollm3") return {"attention_dropout", "max_window_layers", "pretraining_tp"};
  // The activation is that of hidden_activation, and the pattern that of sliding_window_pattern.
  if (model_type.starts_with("gemma")) return {"attention_dropout", "cache_implementation", "hidden_act", "_sliding_window_pattern"};
  if (model_type == "gpt2") {
    return {"attn_pdrop",
            "embd_pdrop",
            "n_ctx",
            "n_special",
            "predict_special_tokens",
            "reorder_and_upcast_attn",
            "resid_pdrop",
            "summary_activation",
            "summary_first_dropout",
            "summary_hidden_size",
            "summary_last_dropout",
            "summary_proj_to_labels",
            "summary_type",
            "summary_use_proj"};
  }
  return {"attention_probs_dropout_prob",
          "cls_dropout",
          "conv_act",
          "conv_groups",
          "hidden_dropout_prob",
          "legacy",
          "pooler_dropout",
          "summary_activation",
          "summary_first_dropout",
          "summary_last_dropout",
          "summary_proj_to_labels",
          "summary_type",
          "summary_use_proj",
          "tie_word_embeddings"};
}

}  // namespace

std::vector<std::string_view> harmless_config_keys(std::string_view model_type) {
  Keys keys = of_every_family();
  const Keys own = of_family(model_type);
  keys.insert(keys.end(), own.begin(), own.end());
  return keys;
}

}  // namespace paretofl
