#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "paretofl/language/decoder_weights_torch.h"
#include "paretofl/language/language_model_config.h"

namespace paretofl {

/// DeBERTa-v3's sequence classifier (He et al. 2021): disentangled attention of content to position and position to content
/// with shared projections, layer norms behind each block, and a pooled first token. Sequences follow one another without
/// padding. Immutable.
class Deberta {
 public:
  /// Asks `lookup` once for every tensor of deberta_slices.
  Deberta(const LanguageModelConfig& config, const TensorLookup& lookup);

  /// Logits [n] of n sequences of these lengths, whose ids [N] are on the model's device.
  at::Tensor scores(const at::Tensor& ids, const std::vector<std::int64_t>& lengths) const;

 private:
  const at::Tensor& tensor(const std::string& name) const { return tensors_.at(name); }
  at::Tensor linear(const std::string& name, const at::Tensor& x) const;
  at::Tensor norm(const std::string& name, const at::Tensor& x) const;
  at::Tensor attend(const std::string& layer, const at::Tensor& x, const std::vector<std::int64_t>& lengths) const;

  LanguageModelConfig config_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace paretofl
