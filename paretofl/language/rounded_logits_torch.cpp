#include "paretofl/language/rounded_logits_torch.h"

#include <algorithm>

#include "paretofl/language/kv_cache_torch.h"
#include "paretofl/language/lane_weights_torch.h"

namespace paretofl {

std::vector<float> rounded_logits(const Decoder& decoder, const std::vector<at::Tensor>& adapter, std::span<const TokenId> ids,
                                  const Int8Weights& rounded) {
  constexpr std::size_t kTokens = 256;  // at a time, so that activations stay in caches
  const LanguageModelConfig& config = decoder.config();
  const KvCache cache(config, 1, static_cast<std::int64_t>(ids.size()), decoder.weights().tokens);
  // No token is drawn, so the cache of drawn tokens is not read.
  LaneDecoder lanes(config, lane_weights(decoder, adapter, cache, cache, &rounded));
  const auto vocabulary = static_cast<std::size_t>(config.vocab_size);
  std::vector<float> logits(ids.size() * vocabulary);
  std::vector<float> hidden(std::min(kTokens, ids.size()) * static_cast<std::size_t>(config.hidden_size));
  for (std::size_t first = 0; first < ids.size(); first += kTokens) {
    const std::size_t count = std::min(kTokens, ids.size() - first);
    std::vector<CachePlace> places(count);
    for (std::size_t t = 0; t < count; ++t) places[t].drawn = static_cast<std::int64_t>(first + t);
    lanes.prompt_step(ids.subspan(first, count), places, adapter.empty() ? 0 : count, hidden.data(), logits.data() + first * vocabulary);
  }
  return logits;
}

}  // namespace paretofl
