#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/language/generation_weights.h"
#include "paretofl/model_files/language_model_config.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// Whether a completion ends with its last token; asked after every one of its tokens.
using CompletionEnds = std::function<bool(std::span<const TokenId> completion)>;

/// How completions are drawn. Temperature 0 takes the most probable token.
struct Sampling {
  std::int64_t max_new_tokens = 64;
  double temperature = 1;
  std::int64_t top_k = 0;     ///< 0: all tokens
  double top_p = 1;           ///< smallest set of tokens with at least this probability
  double min_p = 0;           ///< only tokens with at least this share of the most probable one's probability; 0: all
  std::vector<TokenId> stop;  ///< a completion ends with the first of these, which is part of it
  CompletionEnds ends = {};   ///< or where this says so
  GenerationWeights weights = GenerationWeights::kFloat32;
};

/// One sampled completion of n tokens. Log-probabilities are the model's own (natural logarithm, temperature 1 unless asked for
/// otherwise, all tokens). With rounded weights these and the hidden states are those of the rounded model, which tokens are drawn from.
struct Completion {
  TokenIds ids;                           ///< [n], without the prompt
  std::vector<float> logprobs;            ///< [n] under base and adapter
  std::vector<float> reference_logprobs;  ///< [n] under the base alone; empty unless asked for
  std::vector<float> hidden;  ///< [n, H] last hidden states (after the final norm) that each token was drawn from; empty unless asked for
  bool stopped = false;       ///< by a stop token or `ends`, not by length
};

struct GenerationExtras {
  bool reference_logprobs = false;
  bool hidden = false;
  bool tempered = false;  ///< log-probabilities at the temperature of the sampling, which is then above 0, instead of at 1
};

/// A prompt with its completion: the last `completion_length` of `ids` are the completion.
struct TokenSequence {
  TokenIds ids;
  std::size_t completion_length = 0;
};

/// What one forward pass says of the N completion tokens of a batch, in order of sequence and position.
struct CompletionTokens {
  std::span<const double> logprobs;        ///< [N]
  std::span<const float> hidden;           ///< [N, H] last hidden states the tokens are predicted from
  std::span<const double> entropies = {};  ///< [N] of the distributions that the tokens are predicted by, in nats; empty unless asked for
};

/// How the distributions of completion tokens are taken in a pass, and what of them is wanted beside log-probabilities.
struct TokenTerms {
  double temperature = 1;                       ///< > 0, of log-probabilities and entropies: softmax(logits / temperature)
  bool entropies = false;                       ///< fill CompletionTokens::entropies
  std::span<const double> entropy_slopes = {};  ///< [N] derivatives of the first loss with respect to the entropies; empty: none
};

/// Gradients of K further losses with respect to the activations of one layer, summed over the tokens: the derivative along a
/// shift that all tokens share, and so with respect to their mean. Its size does not depend on the batch.
struct ActivationGradients {
  std::int64_t layer = -1;      ///< 0 .. layers - 1: what that layer puts out; -1: the last hidden states, behind the final norm
  std::span<double> rows = {};  ///< [K, H]
};

/// Derivatives of M losses, and behind them of K further ones whose ActivationGradients are asked for, with respect to the N
/// log-probabilities: fills [M + K, N], row-major, which comes in as zeros.
using LogprobGradients = std::function<void(const CompletionTokens& tokens, std::span<double> gradients)>;

/// A decoder language model: frozen base parameters, which all clients of a process share, and the layout of a low-rank
/// adapter (LoRA) whose parameters [d] every call brings along; an empty adapter means the base model alone. Immutable,
/// and safe to share between threads: a call computes on its caller's thread alone, and its results do not depend on
/// which thread that is. Throws Error on an empty sequence, an id outside of the vocabulary, more tokens than the model's
/// positions, or an adapter of the wrong size.
class CausalLm {
 public:
  virtual ~CausalLm() = default;

  virtual const LanguageModelConfig& config() const = 0;
  virtual const std::shared_ptr<const Layout>& adapter_layout() const = 0;  ///< d numbers; no slices without LoRA
  /// As PEFT does: A Kaiming-uniform with a = sqrt(5), B zero, so that a fresh adapter changes nothing.
  virtual void initialize_adapter(Random random, std::span<float> adapter) const = 0;

  /// Logits [T, V] after every token of ids [T], by the weights that generate would draw with.
  virtual std::vector<float> logits(std::span<const TokenId> ids, std::span<const float> adapter,
                                    GenerationWeights weights = GenerationWeights::kFloat32) const = 0;

  /// Whether generate and logits take these weights, which else throw Error; int8 only with float32 parameters on the CPU, and maps of
  /// their own for queries, keys and values.
  virtual bool generates_with(GenerationWeights weights) const { return weights == GenerationWeights::kFloat32; }

  /// One completion per prompt, in order: one batch with a cache of keys and values. Completion b draws from
  /// random.substream("completion", b), so it doesn't depend on the other prompts (but for rounding).
  virtual std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                           GenerationExtras extras, Random random) const = 0;

  /// Whether jacobian's `dropout` changes anything, as it does not with an adapter without dropout.
  virtual bool drops_out() const { return true; }

  /// Log-probabilities of the completion tokens at a temperature > 0, per sequence, by one forward pass without sampling or dropout.
  /// Unless null, `hidden` becomes the last hidden states [N, H] that the tokens are predicted from, as in CompletionTokens.
  virtual std::vector<std::vector<float>> logprobs(std::span<const TokenSequence> sequences, std::span<const float> adapter,
                                                   double temperature = 1, std::vector<float>* hidden = nullptr) const = 0;

  /// One forward pass in training mode, then one backward pass per loss: jacobian [M, d], row k the gradient of loss k
  /// with respect to the adapter. `dropout` draws LoRA's dropout masks; null: no dropout. The rows equal, bit for bit,
  /// those of M calls with one loss each. Activation gradients go back from the logits to their layer only, and leave out what
  /// the first loss owes to entropies.
  virtual void jacobian(std::span<const TokenSequence> sequences, std::span<const float> adapter, const Random* dropout,
                        const LogprobGradients& losses, std::span<float> jacobian, ActivationGradients activations = {},
                        const TokenTerms& terms = {}) const = 0;
};

/// Low-rank adapters on named projections (Hu et al. 2022): y = W x + alpha / rank B A dropout(x). Names of modules are those of PEFT, such
/// as "model.layers.0.self_attn.q_proj".
struct LoraOptions {
  std::int64_t rank = 16;  ///< 0: no adapter
  double alpha = 32;
  double dropout = 0.05;
  /// Which modules: those whose names end with one of these after a dot, or "all-linear" alone: all of every layer.
  std::vector<std::string> projections = {"q_proj", "k_proj", "v_proj", "o_proj"};
  std::string projection_pattern = {};  ///< a regular expression that whole names match, which counts instead; empty: none
  bool rank_stabilized = false;         ///< alpha / sqrt(rank) instead of alpha / rank (Kalajdzievski 2023)
  /// Ranks and alphas of some modules: those whose names, or what stands in them behind a dot, match the regular expression. The first
  /// that matches counts. These and projection_pattern have passed check_module_pattern.
  std::vector<std::pair<std::string, std::int64_t>> rank_pattern = {};
  std::vector<std::pair<std::string, double>> alpha_pattern = {};
};

/// Where, in which number format and within which memory a model computes.
struct ModelPlacement {
  std::string device = "cpu";     ///< "cpu", "cuda" or "cuda:N"
  std::string dtype = "float32";  ///< of the base parameters: "float32", "bfloat16" or, for checks, "float64"
  /// Of a CausalLm: CausalLm::jacobian keeps only what goes into each layer and computes the layer again in every backward pass: the same
  /// bits, less memory, more time.
  bool gradient_checkpointing = false;
  /// Of a CausalLm: logprobs and jacobian compute equal prompts of a batch once. The same up to rounding; with dropout, the sequences of a
  /// prompt share its masks.
  bool shared_prompts = false;
};

/// The model of a folder with config.json and model.safetensors (or model.safetensors.index.json and its shards), memory-
/// mapped where the number format allows it. Throws Error naming the file, and what was expected there.
std::shared_ptr<const CausalLm> load_causal_lm(const std::filesystem::path& folder, const LoraOptions& lora,
                                               const ModelPlacement& placement = {});

/// A model of random parameters (normal, standard deviation config.initializer_range; norms one, biases zero).
std::shared_ptr<const CausalLm> random_causal_lm(const LanguageModelConfig& config, Random random, const LoraOptions& lora,
                                                 const ModelPlacement& placement = {});

}  // namespace paretofl
