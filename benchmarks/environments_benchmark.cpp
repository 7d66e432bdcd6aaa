// Environment steps per second under uniform actions on one thread: benchmarks/environments_benchmark
// `alone/ID`: one environment, reset whenever its episode has ended. `batch/ID/N`: N copies in lock-step.

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "paretofl/environments/environment_batch.h"

namespace paretofl {
namespace {

constexpr std::size_t kActions = 4096;  ///< drawn before the clock starts

std::vector<double> random_actions(const ActionSpace& space) {
  Random random({.seed = 1}, "actions");
  std::vector<double> actions(kActions * space.size());
  for (std::size_t i = 0; i < kActions; ++i) space.sample(random, std::span(actions).subspan(i * space.size(), space.size()));
  return actions;
}

void step_alone(benchmark::State& state, const std::string& id) {
  const auto environment = make_environment(id);
  const std::size_t width = environment->spec().action.size();
  const std::vector<double> actions = random_actions(environment->spec().action);
  std::vector<double> observation(environment->spec().observation.size());
  std::vector<double> reward(environment->num_objectives());
  environment->reset({.seed = 1}, observation);
  std::size_t next = 0;
  double sum = 0;
  for (auto _ : state) {
    const auto action = std::span(actions).subspan(next++ % kActions * width, width);
    if (environment->step(action, observation, reward).ended()) environment->reset(observation);
    sum += observation[0] + reward[0];
  }
  if (!std::isfinite(sum)) state.SkipWithError("expected finite observations and rewards");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void step_batch(benchmark::State& state, const std::string& id) {
  const auto copies = static_cast<std::size_t>(state.range(0));
  EnvironmentBatch batch(id, copies, {.seed = 1});
  const std::size_t row = copies * batch.spec().action.size();
  const std::vector<double> actions = random_actions(batch.spec().action);
  std::size_t next = 0;
  for (auto _ : state) {
    batch.step(std::span(actions).subspan(next++ % (actions.size() / row) * row, row));
    benchmark::DoNotOptimize(batch.observations().data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * copies));
}

const bool kRegistered = [] {
  for (const RegistryEntry* entry : environments().entries()) {
    benchmark::RegisterBenchmark(("alone/" + entry->name).c_str(), step_alone, entry->name);
    benchmark::RegisterBenchmark(("batch/" + entry->name).c_str(), step_batch, entry->name)->Arg(64);
  }
  return true;
}();

}  // namespace
}  // namespace paretofl
