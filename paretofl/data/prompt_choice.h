#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "paretofl/data/prompt_set.h"

namespace paretofl {

/// Of prompts, those that stand for them in an evaluation, at most `most`: every text once, and as many of each source as of the others, as
/// far as the sources have that many. Within a source they are spread evenly over its distinct texts in the files' order, so that they
/// don't depend on a seed. A text that several sources have belongs to the first of them. In the order of the prompts; all distinct ones
/// where these are no more than `most`.
std::vector<Prompt> distinct_prompts_by_source(std::span<const Prompt> prompts, std::size_t most);

/// How prompts are dealt to clients.
struct PromptDealing {
  std::size_t clients = 1;
  bool dirichlet = false;          ///< by a Dirichlet draw over the prompts' sources; else at random
  double alpha = 0.3;              ///< its concentration
  bool by_distinct_prompt = true;  ///< all copies of a text go to one client; else every copy is dealt alone
};

/// The prompts of each client. Files of preference pairs have a prompt as often as there are pairs for it; its copies stay as often as they
/// are, so that it is drawn as often, and with `by_distinct_prompt` no two clients have a text in common, but where a Dirichlet draw deals
/// a source's prompts a second time because they ran out (dirichlet_partition()). Throws Error where there are fewer to deal than clients.
std::vector<std::vector<Prompt>> deal_prompts(const std::vector<Prompt>& prompts, const PromptDealing& dealing, std::uint64_t seed);

}  // namespace paretofl
