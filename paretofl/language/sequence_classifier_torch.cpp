#include "paretofl/language/sequence_classifier_torch.h"

#include <ATen/ATen.h>

#include <functional>

#include "paretofl/core/error.h"
#include "paretofl/language/deberta_torch.h"
#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/packed_attention_torch.h"
#include "paretofl/language/stored_weights_torch.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {
namespace {

// Tokens of one forward pass: enough to keep matrix products busy, few enough to keep activations in the cache.
constexpr std::size_t kTokensPerPass = 4096;

/// Logits [n] of sequences of these lengths that follow one another in ids [N].
using Scorer = std::function<at::Tensor(const at::Tensor& ids, const std::vector<std::int64_t>& lengths)>;

// A decoder with one output, read where the last token is (Llama's, Qwen2's and GPT-2's ForSequenceClassification).
Scorer decoder_scorer(const LanguageModelConfig& config, const TensorLookup& lookup) {
  const auto decoder = std::make_shared<const Decoder>(config, LoraOptions{.rank = 0}, make_decoder_weights(config, lookup, false));
  const at::Tensor head = lookup("score.weight", {1, config.hidden_size});
  return [decoder, head](const at::Tensor& ids, const std::vector<std::int64_t>& lengths) {
    std::vector<at::Tensor> positions;
    std::vector<std::int64_t> lasts;
    std::int64_t end = 0;
    for (const std::int64_t length : lengths) {
      positions.push_back(at::arange(length));
      lasts.push_back(end += length);
    }
    PackedAttention attention(lengths);
    const DecoderInput input{
        .ids = ids, .positions = at::cat(positions).to(ids.device()), .selected = (at::tensor(lasts, at::kLong) - 1).to(ids.device())};
    return at::mm(decoder->hidden(input, attention, {}), head.t()).squeeze(1);
  };
}

class TorchSequenceClassifier : public SequenceClassifier {
 public:
  TorchSequenceClassifier(LanguageModelConfig config, Scorer scorer, at::Device device)
      : config_(std::move(config)), scorer_(std::move(scorer)), device_(device) {}

  const LanguageModelConfig& config() const override { return config_; }

  std::vector<double> score(std::span<const TokenIds> sequences) const override {
    for (const TokenIds& sequence : sequences) check(sequence);
    pin_torch_thread();
    const at::NoGradGuard no_grad;
    std::vector<double> scores;
    for (std::size_t first = 0; first < sequences.size();) {
      std::vector<std::int64_t> ids, lengths;
      for (; first < sequences.size() && (lengths.empty() || ids.size() + sequences[first].size() <= kTokensPerPass); ++first) {
        ids.insert(ids.end(), sequences[first].begin(), sequences[first].end());
        lengths.push_back(static_cast<std::int64_t>(sequences[first].size()));
      }
      const at::Tensor logits = scorer_(at::tensor(ids, at::kLong).to(device_), lengths).to(at::kCPU, at::kDouble).contiguous();
      scores.insert(scores.end(), logits.data_ptr<double>(), logits.data_ptr<double>() + logits.numel());
    }
    return scores;
  }

 private:
  void check(const TokenIds& sequence) const {
    expect(!sequence.empty(), "classifier: expected sequences of at least one token, found an empty one");
    expect(sequence.size() <= static_cast<std::size_t>(config_.max_position_embeddings),
           "classifier: expected at most {} tokens, the model's positions, found {}", config_.max_position_embeddings, sequence.size());
    for (const TokenId id : sequence) {
      expect(id >= 0 && id < config_.vocab_size, "classifier: expected ids below {}, the vocabulary's size, found {}", config_.vocab_size,
             id);
    }
  }

  LanguageModelConfig config_;
  Scorer scorer_;
  at::Device device_;
};

}  // namespace

SequenceClassifier* paretofl_load_sequence_classifier(const std::filesystem::path& folder, const ModelPlacement& placement) {
  const LanguageModelConfig config = read_language_model_config(folder);
  const TensorLookup lookup = stored_weights(folder, placement);
  const at::Device device = tensor_options(placement).device();
  if (config.model_type != "deberta-v2") return new TorchSequenceClassifier(config, decoder_scorer(config, lookup), device);
  const auto deberta = std::make_shared<const Deberta>(config, lookup);
  return new TorchSequenceClassifier(
      config, [deberta](const at::Tensor& ids, const std::vector<std::int64_t>& lengths) { return deberta->scores(ids, lengths); }, device);
}

}  // namespace paretofl
