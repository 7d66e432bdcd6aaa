#include "paretofl/language/packed_tokens_torch.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/language/packed_attention_torch.h"

namespace paretofl {

PackedTokens pack(std::span<const TokenIds> sequences, const LanguageModelConfig& config, const at::Device& device) {
  std::vector<std::int64_t> lengths, ids, positions, reach, first, last;
  for (const TokenIds& sequence : sequences) {
    expect(!sequence.empty(), "language model: expected sequences of at least one token, found an empty one");
    expect(sequence.size() <= static_cast<std::size_t>(config.max_position_embeddings),
           "language model: expected at most {} tokens, as many as the model has positions, found {}", config.max_position_embeddings,
           sequence.size());
    first.push_back(static_cast<std::int64_t>(ids.size()));
    for (const TokenId id : sequence) {
      expect(id >= 0 && id < config.vocab_size, "language model: expected token ids below {}, found {}", config.vocab_size, id);
      positions.push_back(static_cast<std::int64_t>(ids.size()) - first.back());
      ids.push_back(id);
    }
    // The last that is no padding, wherever it stands, or else the first, as in the reference library.
    const auto scored = std::find_if(sequence.rbegin(), sequence.rend(), [&](TokenId id) { return id != config.pad_token_id; });
    last.push_back(first.back() + std::max<std::int64_t>(sequence.rend() - scored - 1, 0));
    lengths.push_back(static_cast<std::int64_t>(sequence.size()));
    reach.insert(reach.end(), sequence.size(), lengths.back());
  }
  const auto place = [&device](const std::vector<std::int64_t>& values) { return at::tensor(values, at::kLong).to(device); };
  return {.lengths = lengths,
          .ids = place(ids),
          .positions = place(positions),
          .reach = place(reach),
          .first = place(first),
          .last = place(last)};
}

at::Tensor decoder_scores(const Decoder& decoder, const at::Tensor& head, const PackedTokens& tokens) {
  PackedAttention attention(tokens.lengths);
  const at::Tensor hidden =
      decoder.hidden({.ids = tokens.ids, .positions = tokens.positions, .selected = tokens.last, .lengths = tokens.reach}, attention, {});
  return at::mm(hidden, head.t()).squeeze(1);
}

}  // namespace paretofl
