#include "paretofl/data/pair_split.h"

#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace paretofl {
namespace {

/// The dimensions, by number, that have each distinct prompt; the prompts in order of their first appearance.
struct PromptDimensions {
  std::vector<std::string_view> prompts;
  std::vector<std::set<std::size_t>> dimensions;  ///< of each prompt
  std::size_t num_dimensions = 0;
};

PromptDimensions prompt_dimensions(const std::vector<DimensionPair>& pairs) {
  PromptDimensions found;
  std::unordered_map<std::string_view, std::size_t> prompt_number;
  std::unordered_map<std::string_view, std::size_t> dimension_number;
  for (const DimensionPair& pair : pairs) {
    const auto [prompt, fresh] = prompt_number.try_emplace(pair.prompt, prompt_number.size());
    if (fresh) {
      found.prompts.push_back(pair.prompt);
      found.dimensions.emplace_back();
    }
    const std::size_t dimension = dimension_number.try_emplace(pair.dimension, dimension_number.size()).first->second;
    found.dimensions[prompt->second].insert(dimension);
  }
  found.num_dimensions = dimension_number.size();
  return found;
}

std::unordered_set<std::string> held_out_prompts(const std::vector<DimensionPair>& pairs, std::int64_t every) {
  const PromptDimensions all = prompt_dimensions(pairs);
  std::vector<std::int64_t> deficit(all.num_dimensions);
  std::vector<bool> holds_out(all.num_dimensions);
  std::unordered_set<std::string> held_out;
  for (std::size_t i = 0; i < all.prompts.size(); ++i) {
    std::int64_t sum = 0;
    bool first = false;
    for (const std::size_t k : all.dimensions[i]) {
      sum += ++deficit[k];
      first = first || (!holds_out[k] && deficit[k] >= every);
    }
    if (!first && sum < every * static_cast<std::int64_t>(all.dimensions[i].size())) continue;
    held_out.emplace(all.prompts[i]);
    for (const std::size_t k : all.dimensions[i]) {
      deficit[k] -= every;
      holds_out[k] = true;
    }
  }
  return held_out;
}

}  // namespace

PairSplit hold_out_pairs(std::vector<DimensionPair> pairs, std::int64_t every) {
  const std::unordered_set<std::string> outside = held_out_prompts(pairs, every);
  PairSplit split;
  for (DimensionPair& pair : pairs) (outside.contains(pair.prompt) ? split.held_out : split.training).push_back(std::move(pair));
  return split;
}

std::size_t remove_held_out(std::vector<DimensionPair>& training, const std::vector<DimensionPair>& held_out) {
  std::unordered_set<std::string_view> outside;
  for (const DimensionPair& pair : held_out) outside.insert(pair.prompt);
  return std::erase_if(training, [&](const DimensionPair& pair) { return outside.contains(pair.prompt); });
}

}  // namespace paretofl
