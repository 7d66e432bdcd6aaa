#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "paretofl/language/decoder_weights_torch.h"
#include "paretofl/language/packed_tokens_torch.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// DeBERTa-v3's sequence classifier (He et al. 2021): disentangled attention of content to position and position to content
/// with shared projections, layer norms behind each block, and a pooled first token. Immutable.
class Deberta {
 public:
  /// Asks `lookup` once for every tensor of deberta_slices.
  Deberta(const LanguageModelConfig& config, const TensorLookup& lookup);

  at::Device device() const;

  /// Logits [n] of n sequences.
  at::Tensor scores(const PackedTokens& tokens) const;

 private:
  const at::Tensor& tensor(const std::string& name) const { return tensors_.at(name); }
  at::Tensor linear(const std::string& name, const at::Tensor& x) const;
  at::Tensor norm(const std::string& name, const at::Tensor& x) const;
  at::Tensor attend(const std::string& layer, const at::Tensor& x, const std::vector<std::int64_t>& lengths) const;

  LanguageModelConfig config_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace paretofl
