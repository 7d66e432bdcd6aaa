// Time of one solve and of one Gramian: benchmarks/solvers_benchmark --benchmark_repetitions=5
// `every/NAME/M`: all solvers on `common`, M = 2 to 64.
// The Gramians: `far`, float Jacobians with d >> M, independent gradients (all objectives share the
// weight); `common`, the same with a common direction (few do); `singular`, d = M / 2;
// `scales`, gradients up to 1e12 apart.

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

std::vector<float> jacobian(std::uint64_t index, std::size_t objectives, std::size_t columns, double common, double decades) {
  Random random({index, 0, 0}, "jacobian");
  std::vector<double> direction(columns);
  for (double& value : direction) value = common * random.normal();
  std::vector<float> rows;
  for (std::size_t i = 0; i < objectives; ++i) {
    const double scale = std::pow(10, random.uniform(-decades / 2, decades / 2));
    for (std::size_t k = 0; k < columns; ++k) rows.push_back(static_cast<float>(scale * (direction[k] + random.normal())));
  }
  return rows;
}

Gramian gramian(const std::string& kind, std::uint64_t index, std::size_t objectives) {
  const std::size_t columns = kind == "singular" ? objectives / 2 : 100 * objectives;
  return gramian_of_rows(jacobian(index, objectives, columns, kind == "common" ? 1 : 0, kind == "scales" ? 12 : 0), objectives);
}

void solve(benchmark::State& state, const std::string& solver_name, const std::string& kind) {
  const std::unique_ptr<WeightSolver> solver = make_solver({solver_name, {}});
  std::vector<Gramian> gramians;
  for (std::uint64_t index = 0; index < 32; ++index) gramians.push_back(gramian(kind, index, static_cast<std::size_t>(state.range(0))));
  const std::vector<double> losses(static_cast<std::size_t>(state.range(0)), 1.0);
  double worst = 0;
  std::size_t next = 0;
  for (auto _ : state) {
    const WeightSolution solution = solver->solve({.gramian = gramians[next++ % gramians.size()], .losses = losses});
    benchmark::DoNotOptimize(solution.objective_weights.data());
    worst = std::max(worst, solution.kkt_residual);
  }
  state.counters["worst_kkt_residual"] = worst;
}

void form_gramian(benchmark::State& state) {
  const auto objectives = static_cast<std::size_t>(state.range(0));
  const auto columns = static_cast<std::size_t>(state.range(1));
  const std::vector<float> rows = jacobian(1, objectives, columns, 0, 0);
  for (auto _ : state) benchmark::DoNotOptimize(gramian_of_rows(rows, objectives));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * rows.size() * sizeof(float)));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * columns * objectives * (objectives + 1) / 2));
}

const bool kRegistered = [] {
  for (const char* solver : {"min_norm", "regularized_min_norm"}) {
    for (const char* kind : {"far", "common", "singular", "scales"}) {
      auto* run = benchmark::RegisterBenchmark((std::string(solver) + "/" + kind).c_str(), solve, solver, kind);
      run->Arg(2)->Arg(40)->Unit(benchmark::kMicrosecond);
    }
  }
  for (const RegistryEntry* entry : solvers().entries()) {
    auto* run = benchmark::RegisterBenchmark(("every/" + entry->name).c_str(), solve, entry->name, "common");
    run->RangeMultiplier(2)->Range(2, 64)->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark("gramian_of_rows", form_gramian)
      ->Args({2, 34635})
      ->Args({2, 10000000})
      ->Args({40, 1000000})
      ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace paretofl
