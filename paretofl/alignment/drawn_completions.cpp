#include "paretofl/alignment/drawn_completions.h"

namespace paretofl {

DrawnCompletions::DrawnCompletions(std::vector<TokenIds> prompts, std::span<const Completion> completions) {
  for (std::size_t b = 0; b < completions.size(); ++b) {
    const Completion& completion = completions[b];
    TokenIds ids = std::move(prompts[b]);
    ids.insert(ids.end(), completion.ids.begin(), completion.ids.end());
    sequences.push_back({std::move(ids), completion.ids.size()});
    begin.push_back(begin.back() + completion.ids.size());
    logprobs.insert(logprobs.end(), completion.logprobs.begin(), completion.logprobs.end());
    stopped.push_back(completion.stopped);
  }
}

}  // namespace paretofl
