#include "paretofl/language/completion_batch_torch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/language/rope.h"

namespace paretofl {
namespace {

using Places = std::vector<std::int64_t>;

// Which of the computed tokens each of a whole sequence is.
Places places_of(const TokenSequence& sequence, std::int64_t prompt, std::int64_t completion) {
  const std::size_t prompt_length = sequence.ids.size() - sequence.completion_length;
  Places places;
  for (std::size_t t = 0; t < prompt_length; ++t) places.push_back(prompt + static_cast<std::int64_t>(t));
  for (std::size_t t = 0; t < sequence.completion_length; ++t) places.push_back(completion + static_cast<std::int64_t>(t));
  return places;
}

// Of each computed token, where it is first among those of all whole sequences.
Places first_uses(const Places& places, std::size_t computed) {
  Places uses(computed, -1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    std::int64_t& use = uses[static_cast<std::size_t>(places[k])];
    if (use < 0) use = static_cast<std::int64_t>(k);
  }
  return uses;
}

}  // namespace

CompletionBatch completion_batch(std::span<const TokenSequence> sequences, const LanguageModelConfig& config, bool shared_prompts,
                                 const at::Device& device) {
  expect(!sequences.empty(), "language model: expected at least one sequence, found none");
  const auto on_device = [&device](const Places& values) { return at::tensor(values, at::kLong).to(device); };
  const bool longrope = rope_waves_beyond(config).has_value();
  std::map<std::pair<bool, std::vector<TokenId>>, std::int64_t> prompts;  // where each begins
  Places ids, positions, reach, lengths, firsts, places, predictors, targets;
  const auto add = [&](const TokenSequence& sequence, std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      ids.push_back(sequence.ids[t]);
      positions.push_back(static_cast<std::int64_t>(t));
      reach.push_back(static_cast<std::int64_t>(sequence.ids.size()));
    }
  };
  for (const TokenSequence& sequence : sequences) {
    const std::size_t length = sequence.ids.size();
    expect(sequence.completion_length < length,
           "language model: expected a prompt of at least one token, found {} tokens of which {} are the completion", length,
           sequence.completion_length);
    const std::size_t prompt_length = length - sequence.completion_length;
    auto prompt = static_cast<std::int64_t>(ids.size());
    bool known = false;
    if (shared_prompts) {
      const bool beyond = longrope && static_cast<std::int64_t>(length) > config.rope_scaling->original_max_position_embeddings;
      std::vector<TokenId> tokens(sequence.ids.begin(), sequence.ids.begin() + static_cast<std::ptrdiff_t>(prompt_length));
      const auto [found, is_new] = prompts.try_emplace({beyond, std::move(tokens)}, prompt);
      prompt = found->second;
      known = !is_new;
    }
    if (!known) add(sequence, 0, prompt_length);
    const Places own = places_of(sequence, prompt, static_cast<std::int64_t>(ids.size()));
    add(sequence, prompt_length, length);
    for (std::size_t t = prompt_length; t < length; ++t) {
      predictors.push_back(own[t - 1]);
      targets.push_back(sequence.ids[t]);
    }
    places.insert(places.end(), own.begin(), own.end());
    lengths.push_back(static_cast<std::int64_t>(length));
    firsts.push_back(known ? static_cast<std::int64_t>(prompt_length) : 0);
  }
  Places selected = predictors;
  std::ranges::sort(selected);
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  Places sources;
  for (const std::int64_t place : predictors) sources.push_back(std::ranges::lower_bound(selected, place) - selected.begin());
  const bool any_shared = ids.size() < places.size();
  return {.attention = any_shared ? PackedAttention(lengths, on_device(places), on_device(first_uses(places, ids.size())), firsts)
                                  : PackedAttention(lengths),
          .input = {.ids = on_device(ids), .positions = on_device(positions), .selected = on_device(selected), .lengths = on_device(reach)},
          .targets = on_device(targets),
          .sources = any_shared ? on_device(sources) : at::Tensor()};
}

}  // namespace paretofl
