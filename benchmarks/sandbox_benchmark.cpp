// Programs per second: benchmarks/sandbox_benchmark
// `run`: an empty program, 1 at a time and one per processor; what is left without a sandbox is `python`, the interpreter's own
// start. `code_accuracy`: a program with three tests. `code_format`: N texts of one call.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "paretofl/rewards/code_accuracy.h"
#include "paretofl/rewards/code_format.h"

namespace paretofl {
namespace {

const int kProcessors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));

void python(benchmark::State& state) {
  for (auto _ : state) {
    if (std::system("/usr/bin/python3 -s -S -B -c pass") != 0) state.SkipWithError("expected /usr/bin/python3, found none");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(python)->UseRealTime()->Unit(benchmark::kMillisecond);

void run(benchmark::State& state) {
  static const Sandbox kSandbox({});
  for (auto _ : state) benchmark::DoNotOptimize(kSandbox.run("").end);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(run)->Threads(1)->Threads(kProcessors)->UseRealTime()->Unit(benchmark::kMillisecond);

void code_accuracy(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const CodeAccuracy reward({.at_once = state.range(1), .sandbox = {}});
  const std::vector<Answer> answers(
      count,
      {"", "def f(x): return 2 * x", R"J({"tests": ["assert f(1) == 2", "assert f(2) == 4", "assert f('') == ''"], "names": ["f"]})J"});
  double passed = 0;
  for (auto _ : state) {
    for (const double score : reward.scores(answers)) passed += score;
  }
  if (passed != static_cast<double>(count) * static_cast<double>(state.iterations())) state.SkipWithError("expected programs that pass");
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(code_accuracy)
    ->ArgNames({"programs", "at_once"})
    ->Args({32, 1})
    ->Args({32, kProcessors})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void code_format(benchmark::State& state) {
  const CodeFormat reward(CodeFormat::Options{});
  const std::vector<Answer> answers(static_cast<std::size_t>(state.range(0)), {"", "```python\ndef f(x):\n    return 2 * x\n```"});
  for (auto _ : state) benchmark::DoNotOptimize(reward.scores(answers).data());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(code_format)->ArgName("texts")->Arg(1)->Arg(128)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paretofl
