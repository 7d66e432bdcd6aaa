// The server's passes over memory beside what the memory gives on one thread:
//   benchmarks/passes_benchmark --benchmark_repetitions=5
// `read` sums a buffer, `triad` is a = b + s c; both far beyond the caches. `mean_update` averages client updates and
// `gramian_of_rows` forms J J^T: bytes are those that must move once, so their rate over that of `read` is how near
// the passes come to the memory's speed. `round` is the two together, as a server with d = 1e6, M = 10 and 10 clients
// has them every round.

#include <benchmark/benchmark.h>

#include <vector>

#include "paretofl/aggregators/mean.h"
#include "paretofl/core/random.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {
namespace {

constexpr std::size_t kBuffer = 1U << 26;  // floats: 256 MiB

void set_bytes(benchmark::State& state, std::size_t floats) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * floats * sizeof(float)));
}

std::vector<float> numbers(std::size_t count, std::uint32_t client) {
  Random random({1, 0, client}, "numbers");
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
  return values;
}

Replies replies(std::size_t clients, std::size_t dimension) {
  Replies result{{}, clients};
  for (std::size_t i = 0; i < clients; ++i) {
    Reply reply;
    reply.client = static_cast<int>(i);
    reply.update = numbers(dimension, static_cast<std::uint32_t>(i));
    result.replies.push_back(std::move(reply));
  }
  return result;
}

void read(benchmark::State& state) {
  const std::vector<std::int32_t> buffer(kBuffer, 1);
  for (auto _ : state) {
    std::int32_t sum = 0;
    for (const std::int32_t value : buffer) sum += value;
    benchmark::DoNotOptimize(sum);
  }
  set_bytes(state, buffer.size());
}

void triad(benchmark::State& state) {
  std::vector<float> a(kBuffer / 4);
  const std::vector<float> b(kBuffer / 4, 1);
  const std::vector<float> c(kBuffer / 4, 2);
  for (auto _ : state) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] + 3 * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  set_bytes(state, 3 * a.size());
}

void average(benchmark::State& state) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const auto dimension = static_cast<std::size_t>(state.range(1));
  const Replies updates = replies(clients, dimension);
  for (auto _ : state) benchmark::DoNotOptimize(mean_update(updates, dimension));
  set_bytes(state, (clients + 1) * dimension);
}

void form_gramian(benchmark::State& state) {
  const auto objectives = static_cast<std::size_t>(state.range(0));
  const auto dimension = static_cast<std::size_t>(state.range(1));
  const std::vector<float> rows = numbers(objectives * dimension, 0);
  for (auto _ : state) benchmark::DoNotOptimize(gramian_of_rows(rows, objectives));
  set_bytes(state, rows.size());
}

void both(benchmark::State& state) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const auto dimension = static_cast<std::size_t>(state.range(1));
  const Replies updates = replies(clients, dimension);
  const std::vector<float> rows = numbers(clients * dimension, 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(mean_update(updates, dimension));
    benchmark::DoNotOptimize(gramian_of_rows(rows, clients));
  }
  set_bytes(state, (2 * clients + 1) * dimension);
}

BENCHMARK(read)->Unit(benchmark::kMillisecond);
BENCHMARK(triad)->Unit(benchmark::kMillisecond);
BENCHMARK(average)->Name("mean_update")->Args({10, 1000000})->Unit(benchmark::kMillisecond);
BENCHMARK(form_gramian)->Name("gramian_of_rows")->Args({10, 1000000})->Unit(benchmark::kMillisecond);
BENCHMARK(both)->Name("round")->Args({10, 1000000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paretofl
