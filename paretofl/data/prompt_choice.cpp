#include "paretofl/data/prompt_choice.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/data/partition.h"

namespace paretofl {
namespace {

/// Numbers of prompts that are dealt together, in the order of their first ones.
std::vector<std::vector<std::size_t>> hands_of(const std::vector<Prompt>& prompts, bool by_distinct_prompt) {
  std::vector<std::vector<std::size_t>> hands;
  std::unordered_map<std::string_view, std::size_t> hand_of;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const auto [entry, fresh] = hand_of.try_emplace(prompts[i].text, hands.size());
    if (fresh || !by_distinct_prompt) {
      hands.push_back({i});
    } else {
      hands[entry->second].push_back(i);
    }
  }
  return hands;
}

}  // namespace

std::vector<Prompt> distinct_prompts_by_source(std::span<const Prompt> prompts, std::size_t most) {
  std::map<std::uint32_t, std::vector<std::size_t>> of_source;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (seen.insert(prompts[i].text).second) of_source[prompts[i].source].push_back(i);
  }
  // The smallest sources first, so that what they lack goes to the larger ones.
  std::vector<const std::vector<std::size_t>*> sources;
  for (const auto& [source, numbers] : of_source) sources.push_back(&numbers);
  std::stable_sort(sources.begin(), sources.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::vector<std::size_t>& numbers = *sources[s];
    const std::size_t count = std::min(numbers.size(), (most - chosen.size()) / (sources.size() - s));
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(numbers[i * numbers.size() / count]);
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Prompt> result;
  for (const std::size_t i : chosen) result.push_back(prompts[i]);
  return result;
}

std::vector<std::vector<Prompt>> deal_prompts(const std::vector<Prompt>& prompts, const PromptDealing& dealing, std::uint64_t seed) {
  const std::vector<std::vector<std::size_t>> hands = hands_of(prompts, dealing.by_distinct_prompt);
  expect(hands.size() >= dealing.clients, "workload.clients: expected at most one client per prompt, {}, found {}", hands.size(),
         dealing.clients);
  Random random({seed, 0, kServerStream}, "prompt split");
  std::vector<std::vector<Prompt>> dealt(dealing.clients);
  const auto give = [&](std::size_t client, std::size_t hand) {
    for (const std::size_t i : hands[hand]) dealt[client].push_back(prompts[i]);
  };
  if (!dealing.dirichlet) {
    std::vector<std::size_t> order(hands.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t i = 0; i < order.size(); ++i) give(i % dealing.clients, order[i]);
    return dealt;
  }
  std::vector<std::uint32_t> sources;
  for (const std::vector<std::size_t>& hand : hands) sources.push_back(prompts[hand.front()].source);
  const Partition partition = dirichlet_partition(
      sources, {.clients = dealing.clients, .samples_per_client = hands.size() / dealing.clients, .alpha = dealing.alpha}, random);
  for (std::size_t client = 0; client < dealing.clients; ++client) {
    for (const std::uint32_t hand : partition.client(client)) give(client, hand);
  }
  return dealt;
}

}  // namespace paretofl
