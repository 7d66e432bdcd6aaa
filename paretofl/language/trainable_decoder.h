#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/language_model_config.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// What a decoder says of a sequence: the next token everywhere, or one score at the end.
enum class DecoderHead { kLanguage, kScore };

/// Derivatives of a loss with respect to the scores [n] of sequences: fills [n].
using ScoreGradients = std::function<void(std::span<const double> scores, std::span<double> gradients)>;

/// A decoder all of whose parameters are trained: theta is one flat buffer [d], laid out like the published checkpoint's
/// tensors. It computes by the same forward pass as CausalLm and SequenceClassifier. Immutable, and safe to share between
/// threads: a call computes on its caller's thread alone, and its results do not depend on which thread that is. Throws Error
/// on the same misuse as CausalLm.
class TrainableDecoder {
 public:
  virtual ~TrainableDecoder() = default;

  virtual const LanguageModelConfig& config() const = 0;
  virtual const std::shared_ptr<const Layout>& layout() const = 0;

  /// Fresh parameters: normal with standard deviation config.initializer_range, norms one, biases zero.
  virtual void initialize(Random random, std::span<float> theta) const = 0;
  /// Those of a model's folder; a score head that it does not have is drawn as initialize draws it.
  virtual void load(const std::filesystem::path& folder, Random random, std::span<float> theta) const = 0;

  /// Negative log-likelihood (natural logarithm), summed over all tokens behind each sequence's first. Writes its gradient
  /// [d], unless `gradient` is empty.
  virtual double next_token_loss(std::span<const TokenIds> sequences, std::span<const float> theta, std::span<float> gradient) const = 0;

  /// Scores of sequences. Writes the gradient [d] of the loss whose derivatives `losses` knows, unless `gradient` is empty.
  virtual std::vector<double> scores(std::span<const TokenIds> sequences, std::span<const float> theta, const ScoreGradients& losses,
                                     std::span<float> gradient) const = 0;
};

std::shared_ptr<const TrainableDecoder> make_trainable_decoder(const LanguageModelConfig& config, DecoderHead head,
                                                               const ModelPlacement& placement = {});

}  // namespace paretofl
