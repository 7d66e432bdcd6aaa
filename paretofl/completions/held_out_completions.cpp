#include "paretofl/completions/held_out_completions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "paretofl/core/json_text.h"
#include "paretofl/tokenizers/completion_text.h"

namespace paretofl {
namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kExamples = 8;

CompletedBatch complete(const CausalLm& model, const CompletionTask& task, std::size_t begin, std::size_t end, std::span<const float> theta,
                        const Sampling& sampling, GenerationExtras extras, const Random& random) {
  CompletedBatch batch;
  std::vector<TokenIds> ids;
  for (std::size_t i = begin; i < std::min(end, task.num_prompts()); ++i) {
    batch.prompts.push_back(i);
    ids.push_back(task.prompt(i));
  }
  batch.completions = model.generate(ids, theta, sampling, extras, random);
  return batch;
}

}  // namespace

std::size_t evaluation_batches(std::size_t prompts) { return (prompts + kBatch - 1) / kBatch; }

CompletedBatch complete_batch(const CausalLm& model, const CompletionTask& task, std::size_t batch, std::span<const float> theta,
                              const Sampling& sampling, GenerationExtras extras, const Random& random) {
  return complete(model, task, batch * kBatch, (batch + 1) * kBatch, theta, sampling, extras, random.substream("batch", batch));
}

std::string example_completions(const LanguageBase& base, const RewardTask& task, std::span<const std::string> names,
                                std::span<const float> theta, const Sampling& sampling, const Random& random) {
  const CompletedBatch batch = complete(*base.model(), task, 0, kExamples, theta, sampling, {}, random);
  const std::vector<double> rewards = task.rewards(batch.prompts, batch.completions);
  std::string lines;
  for (const std::size_t i : batch.prompts) {
    nlohmann::ordered_json line{{"prompt", task.text(i)},
                                {"completion", completion_text(*base.tokenizer(), task.prompt(i), batch.completions[i].ids)}};
    for (std::size_t k = 0; k < names.size(); ++k) line["reward"][names[k]] = rewards[i * names.size() + k];
    lines += json_text(line) + "\n";
  }
  return lines;
}

}  // namespace paretofl
