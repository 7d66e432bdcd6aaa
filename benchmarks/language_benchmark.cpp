// Generation and gradients of decoders of random parameters on one thread, as benchmarks/transformers_speed.py and
// transformers_ppo_step.py measure them with the transformers library:
//   OPENBLAS_NUM_THREADS=1 language_benchmark
// Batch 16, different prompts of 64 tokens, 64 new tokens each, in groups 16 completions of each prompt; rates are per second
// of processor time. With two threads, as two clients of a run, each has such a batch; rates are those of both, per second of wall time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "benchmarks/random_llamas.h"
#include "paretofl/language/causal_lm.h"

namespace paretofl {
namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kPrompt = 64;
constexpr std::int64_t kNew = 64;

const CausalLm& model(const LanguageModelConfig& config, bool shared_prompts = false) {
  static std::mutex mutex;  // of the threads of one benchmark
  static std::map<std::pair<std::int64_t, bool>, std::shared_ptr<const CausalLm>> models;
  const std::scoped_lock lock(mutex);
  auto& model = models[{config.hidden_size, shared_prompts}];
  if (!model) model = random_causal_lm(config, Random({1}, "model"), {.dropout = 0}, {.shared_prompts = shared_prompts});
  return *model;
}

std::vector<TokenIds> prompts(const LanguageModelConfig& config, std::size_t length) { return random_sequences(config, kBatch, length); }

void generate(benchmark::State& state, const LanguageModelConfig& config, bool adapted, std::size_t group = 1,
              GenerationWeights weights = GenerationWeights::kFloat32) {
  const CausalLm& model = paretofl::model(config);
  std::vector<float> adapter(adapted ? model.adapter_layout()->size() : 0);
  if (adapted) model.initialize_adapter(Random({1}, "adapter"), adapter);
  std::vector<TokenIds> batch;
  for (const TokenIds& prompt : prompts(config, kPrompt)) batch.insert(batch.end(), group, prompt);
  const Sampling sampling{.max_new_tokens = kNew, .stop = {}, .weights = weights};
  const GenerationExtras extras{.reference_logprobs = adapted, .hidden = adapted};
  if (weights != GenerationWeights::kFloat32) {  // rounded once per model
    model.generate({batch.data(), 1}, adapter, {.max_new_tokens = 1, .stop = {}, .weights = weights}, {}, Random({1}, "benchmark"));
  }
  for (auto _ : state) benchmark::DoNotOptimize(model.generate(batch, adapter, sampling, extras, Random({1}, "benchmark")));
  // Those of this thread; the counters of all threads are added up.
  const double tokens = static_cast<double>(group * kBatch * kNew) * static_cast<double>(state.iterations());
  state.counters["tokens"] = benchmark::Counter(tokens, benchmark::Counter::kIsRate);
}

std::vector<TokenSequence> completed(const std::vector<TokenIds>& prompts, const std::vector<Completion>& completions) {
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < prompts.size(); ++b) {
    TokenIds ids = prompts[b];
    ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
    sequences.push_back({.ids = std::move(ids), .completion_length = completions[b].ids.size()});
  }
  return sequences;
}

/// What a method takes of its completions.
enum class Method { kGrpo, kPpo };

// A batch of completions with what a method takes of the policy and the reference at the draw: as the sampler reports it, or, where it
// draws in int8, by forward passes. GRPO takes log-probabilities of the policy (old_logprobs "sampler", no price of KL); PPO those of both,
// and hidden states of the policy.
void draw_batch(benchmark::State& state, const LanguageModelConfig& config, std::size_t group, Method method, GenerationWeights weights) {
  const CausalLm& model = paretofl::model(config);
  std::vector<float> adapter(model.adapter_layout()->size());
  model.initialize_adapter(Random({1}, "adapter"), adapter);
  std::vector<TokenIds> batch;
  for (const TokenIds& prompt : prompts(config, kPrompt)) batch.insert(batch.end(), group, prompt);
  const bool policy_draws = weights == GenerationWeights::kFloat32;
  const bool ppo = method == Method::kPpo;
  const auto draw = [&](std::int64_t length) {
    return model.generate(batch, adapter, {.max_new_tokens = length, .stop = {}, .weights = weights},
                          {.reference_logprobs = ppo && policy_draws, .hidden = ppo && policy_draws}, Random({1}, "benchmark"));
  };
  draw(1);  // rounds the model
  std::vector<float> hidden;
  for (auto _ : state) {
    const std::vector<Completion> completions = draw(kNew);
    if (policy_draws) continue;
    const std::vector<TokenSequence> sequences = completed(batch, completions);
    benchmark::DoNotOptimize(model.logprobs(sequences, adapter, 1, ppo ? &hidden : nullptr));
    if (ppo) benchmark::DoNotOptimize(model.logprobs(sequences, {}));
  }
  state.counters["tokens"] = benchmark::Counter(static_cast<double>(batch.size() * kNew), benchmark::Counter::kIsIterationInvariantRate);
}

// The gradients of so many clipped losses of a minibatch.
void clipped_losses(benchmark::State& state, const CausalLm& model, const std::vector<TokenSequence>& sequences, std::size_t count) {
  std::vector<float> adapter(model.adapter_layout()->size());
  model.initialize_adapter(Random({1}, "adapter"), adapter);
  std::vector<float> old;
  for (const std::vector<float>& part : model.logprobs(sequences, adapter)) old.insert(old.end(), part.begin(), part.end());
  std::vector<float> result(count * adapter.size());
  const auto losses = [&](const CompletionTokens& tokens, std::span<double> gradients) {
    const std::size_t n = tokens.logprobs.size();
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const double advantage = static_cast<double>(i % 7) - 3;
      const double ratio = std::exp(tokens.logprobs[i % n] - old[i % n]);
      const bool cut = std::clamp(ratio, 0.8, 1.2) * advantage < ratio * advantage;
      gradients[i] = cut ? 0 : -ratio * advantage / static_cast<double>(n);
    }
  };
  for (auto _ : state) model.jacobian(sequences, adapter, nullptr, losses, result);
  // Those of this thread; the counters of all threads are added up.
  const double tokens = static_cast<double>(sequences.size() * 2 * kPrompt) * static_cast<double>(state.iterations());
  state.counters["tokens"] = benchmark::Counter(tokens, benchmark::Counter::kIsRate);
}

std::vector<TokenSequence> minibatch(const LanguageModelConfig& config) {
  constexpr std::size_t kMinibatch = 8;
  std::vector<TokenSequence> sequences;
  for (TokenIds& ids : prompts(config, 2 * kPrompt)) sequences.push_back({.ids = std::move(ids), .completion_length = kPrompt});
  sequences.resize(kMinibatch);
  return sequences;
}

// A PPO minibatch: two losses of 8 sequences of 128 tokens, half of them completions.
void ppo_step(benchmark::State& state, const LanguageModelConfig& config) { clipped_losses(state, model(config), minibatch(config), 2); }

// A GRPO group: one loss of 8 completions of one prompt.
void group_update(benchmark::State& state, const LanguageModelConfig& config, bool shared_prompts) {
  std::vector<TokenSequence> sequences = minibatch(config);
  for (TokenSequence& sequence : sequences) std::copy_n(sequences.front().ids.begin(), kPrompt, sequence.ids.begin());
  clipped_losses(state, model(config, shared_prompts), sequences, 1);
}

// A GRPO step's gradient of 16 completions of 64 tokens for prompts of 64, with the gradients of `rewards` more losses at the
// activations of a layer: -1 is behind the last one.
void grpo(benchmark::State& state, const LanguageModelConfig& config, std::size_t rewards, std::int64_t layer) {
  const CausalLm& model = paretofl::model(config);
  std::vector<float> adapter(model.adapter_layout()->size());
  model.initialize_adapter(Random({1}, "adapter"), adapter);
  const std::vector<TokenIds> batch = prompts(config, kPrompt);
  std::vector<float> gradient(adapter.size());
  std::vector<double> activations(rewards * static_cast<std::size_t>(config.hidden_size));
  const auto losses = [](const CompletionTokens&, std::span<double> gradients) {
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = static_cast<double>(i % 7) - 3;
  };
  for (auto _ : state) {
    const auto completions = model.generate(batch, adapter, {.max_new_tokens = kNew, .stop = {}}, {}, Random({1}, "benchmark"));
    const std::vector<TokenSequence> sequences = completed(batch, completions);
    model.jacobian(sequences, adapter, nullptr, losses, gradient, {.layer = layer, .rows = activations});
  }
  state.counters["steps"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(generate, small, small(), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, small_in_groups, small(), false, 16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, small_int8, small(), false, 1, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, small_in_groups_int8, small(), false, 16, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, small_on_threads, small(), false)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, small_on_threads_int8, small(), false, 1, GenerationWeights::kInt8)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_small, small(), 1, Method::kGrpo, GenerationWeights::kFloat32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_small_int8, small(), 1, Method::kGrpo, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_small_in_groups, small(), 16, Method::kGrpo, GenerationWeights::kFloat32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_small_in_groups_int8, small(), 16, Method::kGrpo, GenerationWeights::kInt8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, ppo_small, small(), 1, Method::kPpo, GenerationWeights::kFloat32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, ppo_small_int8, small(), 1, Method::kPpo, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grpo, small, small(), 0, -1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grpo, small_with_three_hypergradients, small(), 3, -1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grpo, small_with_three_at_the_third_layer, small(), 3, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, large, large(), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, large_int8, large(), false, 1, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, large_on_threads, large(), false)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, large_on_threads_int8, large(), false, 1, GenerationWeights::kInt8)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_large, large(), 1, Method::kGrpo, GenerationWeights::kFloat32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, grpo_large_int8, large(), 1, Method::kGrpo, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, ppo_large, large(), 1, Method::kPpo, GenerationWeights::kFloat32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_batch, ppo_large_int8, large(), 1, Method::kPpo, GenerationWeights::kInt8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grpo, large, large(), 0, -1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grpo, large_with_three_hypergradients, large(), 3, -1)->Unit(benchmark::kMillisecond);

// Each of these with one thread and with two.
const bool kRegistered = [] {
  const auto add = [](const std::string& name, const auto& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "_on_threads").c_str(), run)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  for (const auto& [size, config] : {std::pair{std::string("small"), small()}, std::pair{std::string("large"), large()}}) {
    add("generate/" + size + "_with_adapter_and_reference", [config = config](benchmark::State& state) { generate(state, config, true); });
    add("ppo_step/" + size, [config = config](benchmark::State& state) { ppo_step(state, config); });
    add("group_update/" + size, [config = config](benchmark::State& state) { group_update(state, config, false); });
    add("group_update/" + size + "_with_shared_prompts", [config = config](benchmark::State& state) { group_update(state, config, true); });
  }
  return true;
}();

}  // namespace
}  // namespace paretofl
