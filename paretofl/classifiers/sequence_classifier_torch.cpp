#include "paretofl/classifiers/sequence_classifier_plugin.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <functional>

#include "paretofl/classifiers/deberta_torch.h"
#include "paretofl/core/error.h"
#include "paretofl/language/checkpoint_torch.h"
#include "paretofl/language/packed_tokens_torch.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {
namespace {

// Tokens of one forward pass: enough to keep matrix products busy, few enough to keep activations in the cache.
constexpr std::size_t kTokensPerPass = 4096;

class TorchSequenceClassifier : public SequenceClassifier {
 public:
  using Scorer = std::function<at::Tensor(const PackedTokens&)>;  ///< logits [n]

  TorchSequenceClassifier(LanguageModelConfig config, at::Device device, Scorer scorer)
      : config_(std::move(config)), device_(device), scorer_(std::move(scorer)) {}

  const LanguageModelConfig& config() const override { return config_; }

  std::vector<double> score(std::span<const TokenIds> sequences) const override {
    pin_torch_thread();
    const at::NoGradGuard no_grad;
    std::vector<double> scores;
    for (std::size_t begin = 0, end = 0; begin < sequences.size(); begin = end) {
      for (std::size_t tokens = 0; end < sequences.size() && (end == begin || tokens + sequences[end].size() <= kTokensPerPass); ++end) {
        tokens += sequences[end].size();
      }
      const PackedTokens part = pack(sequences.subspan(begin, end - begin), config_, device_);
      const at::Tensor logits = scorer_(part).to(at::kCPU, at::kDouble).contiguous();
      scores.insert(scores.end(), logits.data_ptr<double>(), logits.data_ptr<double>() + logits.numel());
    }
    return scores;
  }

 private:
  LanguageModelConfig config_;
  at::Device device_;
  Scorer scorer_;
};

}  // namespace

SequenceClassifier* paretofl_load_sequence_classifier(const std::filesystem::path& folder, const ModelPlacement& placement) {
  pin_torch_thread();
  const LanguageModelConfig config = read_language_model_config(folder);
  expect(config.num_labels == 1, "{}: expected a classifier of one label (id2label, num_labels), found {}", folder.string(),
         config.num_labels);
  const TensorLookup lookup = stored_tensors(folder, config.num_hidden_layers, placement);
  if (config.model_type == "deberta-v2") {
    const auto deberta = std::make_shared<const Deberta>(config, lookup);
    return new TorchSequenceClassifier(config, deberta->device(),
                                       [deberta](const PackedTokens& tokens) { return deberta->scores(tokens); });
  }
  const auto decoder = std::make_shared<const Decoder>(config, LoraOptions{.rank = 0}, make_decoder_weights(config, lookup, false));
  const at::Tensor head = lookup("score.weight", {1, config.hidden_size});
  return new TorchSequenceClassifier(config, head.device(),
                                     [decoder, head](const PackedTokens& tokens) { return decoder_scores(*decoder, head, tokens); });
}

}  // namespace paretofl
