#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/kv_cache_torch.h"
#include "paretofl/language/lane_decoder.h"
#include "paretofl/language/token_sampler.h"

namespace paretofl {

/// One batch of completions. Equal prompts are computed once and share their keys and values. With reference log-probabilities the batch
/// has a second half, the same sequences without the adapter. Sequences that have stopped leave the batch. Prompts are computed by Decoder,
/// all further tokens by LaneDecoder where it can. With rounded weights, which fits_lanes must allow, LaneDecoder computes prompts too.
class Generation {
 public:
  Generation(const LanguageModelConfig& config, const Decoder& decoder, std::vector<at::Tensor> adapter, std::span<const TokenIds> prompts,
             const Sampling& sampling, GenerationExtras extras, const Random& random, const Int8Weights* rounded = nullptr);

  std::vector<Completion> run();

 private:
  /// What follows the last tokens so far of active sequences, the adapted ones first.
  struct Outlook {
    at::Tensor hidden;  ///< [copies * active, H]
    at::Tensor logits;  ///< [copies * active, V] on the CPU
  };

  Outlook prefill();
  Outlook rounded_prefill();
  Outlook empty_outlook(std::size_t rows) const;
  Outlook step();
  Outlook after(const at::Tensor& hidden) const;
  /// Draws a token for every active sequence; returns which of them continue, by place among the active ones.
  std::vector<std::size_t> draw(const Outlook& outlook);
  void keep(const std::vector<std::size_t>& places);
  /// These rows of `count` in every copy.
  at::Tensor rows_of_copies(const std::vector<std::int64_t>& rows, std::size_t count) const;
  at::Tensor on_device(const std::vector<std::int64_t>& values) const;

  const LanguageModelConfig& config_;
  const Decoder& decoder_;
  std::vector<at::Tensor> adapter_;
  std::span<const TokenIds> prompts_;
  const Sampling& sampling_;
  GenerationExtras extras_;
  std::int64_t copies_;  // 2 with a half without the adapter
  TokenSampler sampler_;
  std::vector<Random> streams_;
  std::vector<Completion> completions_;
  std::vector<std::size_t> active_;        // completions that go on
  std::vector<std::int64_t> prompt_of_;    // [B] among distinct_
  std::vector<const TokenIds*> distinct_;  // prompts whose keys and values are kept
  // Both with rows again for the half without the adapter; without lanes_ only of active completions.
  KvCache prompt_cache_;  // distinct_
  KvCache drawn_cache_;   // completions
  std::unique_ptr<LaneDecoder> lanes_;
  bool rounded_;
};

}  // namespace paretofl
