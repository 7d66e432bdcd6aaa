// One gradient step of FedPref's agents, its settings (Tables 11 and 12), on one thread, beside the machine's rate in matrix
// products. `gflops` counts the arithmetic of a step's matrix products alone. Both rates are per second of processor time.
#include <benchmark/benchmark.h>

#include "benchmarks/matrix_product_rate.h"
#include "paretofl/agents/ddpg_update.h"
#include "paretofl/agents/dqn_update.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

std::vector<float> draws(std::size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& x : values) x = static_cast<float>(random.uniform(-0.1, 0.1));
  return values;
}

// Transitions that all differ, every action the first, or a continuous one.
TransitionBatch batch(std::size_t n, std::size_t observation, std::size_t action, bool discrete, Random& random) {
  return {.size = n,
          .observations = draws(n * observation, random),
          .actions = discrete ? std::vector<float>(n) : draws(n * action, random),
          .rewards = draws(n, random),
          .next_observations = draws(n * observation, random),
          .continues = std::vector<float>(n, 1)};
}

// 10^9 operations of one pass over n rows, through the layers from `first` (from 1) on.
double gflop(const DenseShape& shape, std::size_t n, std::size_t first = 1) {
  double sum = 0;
  for (std::size_t l = first; l < shape.widths.size(); ++l) {
    sum += 2e-9 * static_cast<double>(n * shape.widths[l - 1] * shape.widths[l]);
  }
  return sum;
}

template <class Step>
void measure(benchmark::State& state, double step_gflop, const Step& step) {
  const double rate = matrix_product_rate();
  for (auto _ : state) step();
  state.counters["gflops"] = benchmark::Counter(step_gflop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["matrix_product_gflops"] = (rate + matrix_product_rate()) / 2;
}

void dqn_step(benchmark::State& state) {
  constexpr std::size_t kBatch = 64;
  Random random({.seed = 1}, "benchmark");
  const DenseShape shape{.widths = {7, 256, 256, 6}};  // minecart
  DqnUpdate update(shape, {});
  std::vector<float> theta = draws(shape.num_parameters(), random);
  const std::vector<float> target = theta;
  const TransitionBatch transitions = batch(kBatch, 7, 1, true, random);
  // Forward of the target, forward of the trained network and backward to its parameters and hidden layers.
  measure(state, 3 * gflop(shape, kBatch) + gflop(shape, kBatch, 2), [&] { update.step(theta, target, transitions, {}); });
}
BENCHMARK(dqn_step)->Unit(benchmark::kMicrosecond);

void ddpg_step(benchmark::State& state) {
  constexpr std::size_t kBatch = 100;
  Random random({.seed = 1}, "benchmark");
  const ActorCriticShape shape{.actor = {.widths = {17, 400, 300, 6}, .tanh_output = true}, .critic = {.widths = {23, 400, 300, 1}}};
  DdpgUpdate update(shape, {});
  std::vector<float> theta = draws(shape.num_parameters(), random);
  std::vector<float> targets = theta;
  const TransitionBatch transitions = batch(kBatch, 17, 6, false, random);
  // Both targets forward; the critic forward and backward; both forward, the critic back to its inputs, the actor backward.
  const double actor = 3 * gflop(shape.actor, kBatch) + gflop(shape.actor, kBatch, 2);
  const double critic = 5 * gflop(shape.critic, kBatch) + gflop(shape.critic, kBatch, 2);
  measure(state, actor + critic, [&] { update.step(theta, targets, transitions, {}); });
}
BENCHMARK(ddpg_step)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace paretofl
