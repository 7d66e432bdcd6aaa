#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/kernels/int8_product.h"
#include "paretofl/kernels/lane_product.h"
#include "paretofl/language/cache_place.h"
#include "paretofl/language/rope.h"
#include "paretofl/model_files/language_model_config.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// Pointers to a decoder's parameters in float32, which someone else keeps, and to caches.
struct LaneLinear {
  LaneMatrix weight;
  const Int8Matrix* rounded = nullptr;  ///< multiplied in place of the weight, unless null
  const float* bias = nullptr;          ///< [out] or null
  const float* lora_a = nullptr;        ///< [rank, in] or null
  const float* lora_b = nullptr;        ///< [out, rank]
  std::size_t lora_rank = 0;
  float lora_scale = 0;
};

struct LaneNorm {
  const float* weight = nullptr;
  const float* bias = nullptr;  ///< null: RMSNorm
};

struct LaneCache {
  float* keys = nullptr;     ///< [rows, key-value heads, head_dim, capacity]
  float* values = nullptr;   ///< [rows, key-value heads, capacity, head_dim]
  std::size_t capacity = 0;  ///< a multiple of kLanes
};

struct LaneLayer {
  LaneNorm attention_norm;
  LaneNorm mlp_norm;
  LaneNorm attention_out_norm;  ///< null weights: none, as of the three below
  LaneNorm mlp_out_norm;
  LaneNorm query_norm;  ///< of every head, [head_dim]
  LaneNorm key_norm;
  std::int64_t window = 0;              ///< last tokens that the layer sees, its own included; 0: all
  bool rotated = true;                  ///< has rotary positions
  std::vector<LaneLinear> projections;  ///< in the order of decoder_projections
  LaneCache prompts;
  LaneCache drawn;
};

struct LaneWeights {
  const float* tokens = nullptr;     ///< [V, H]
  const float* positions = nullptr;  ///< [P, H], GPT-2 alone
  std::vector<LaneLayer> layers;
  LaneNorm final_norm;
  LaneMatrix head;                           ///< [V, H]
  const Int8Matrix* rounded_head = nullptr;  ///< multiplied in place of the head, unless null
};

/// The matrices that a decoder multiplies by, rounded to 8 bits.
struct Int8Weights {
  std::vector<std::vector<Int8Matrix>> layers;  ///< [layers][projections], in the order of decoder_projections
  Int8Matrix head;                              ///< [V, H]
};

/// One more token of some rows of a batch, which share no arithmetic: the same as Decoder computes, for few rows and without
/// a library's dispatch. Activations are [features] of Lanes with kLanes rows innermost; attention goes row by row along the
/// cache. Not for several threads at once.
class LaneDecoder {
 public:
  /// The caches hold finite numbers beyond the tokens of a row.
  LaneDecoder(const LanguageModelConfig& config, LaneWeights weights);
  ~LaneDecoder();

  /// Token r stands at places[r]; the first `adapted` tokens are computed with the adapter. Writes hidden states [n, H]
  /// after the final norm and logits [n, V].
  void step(std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted, float* hidden, float* logits);
  /// The same for tokens of prompts themselves, as many of each as follow one another: token t of a prompt has a place with prompt_length
  /// 0, drawn t and the prompt's row, and its keys and values go to the cache of prompts. Null pointers: keys and values are all.
  void prompt_step(std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted, float* hidden, float* logits);

 private:
  struct Activations;

  /// `own` is the cache that the tokens' keys and values go to.
  void step(LaneCache LaneLayer::*own, std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted, float* hidden,
            float* logits);
  void embed(std::span<const TokenId> ids, std::span<const CachePlace> places);
  void norm(const LaneNorm& norm, std::size_t groups, std::size_t width, const Lanes* x, Lanes* y) const;
  void norm(const LaneNorm& norm, const Lanes* x, Lanes* y) const;
  void add(const LaneNorm& around, Lanes* update, Lanes* x) const;
  void project(const LaneLinear& linear, const Lanes* x, Lanes* y);
  void rotate(Lanes* x, std::size_t heads, std::size_t kind) const;
  void attend(const LaneLayer& layer, const LaneCache& own, std::span<const CachePlace> places);
  void mlp(const LaneLayer& layer);

  LanguageModelConfig config_;
  LaneWeights weights_;
  std::vector<RopeWaves> waves_;  // of layers that see all tokens, and in Gemma 3 of those with a window
  std::unique_ptr<Activations> at_;
};

}  // namespace paretofl
