// What one reply costs the server, by the size of its update: benchmarks/replies_benchmark
// `receive`: the bytes of the message are decoded, and the update is added to the cohort's mean. `send`: theta is copied once for a
// broadcast and encoded once. `unmask`: the same as receive, of a masked update (secure aggregation), without the keys' part.

#include <benchmark/benchmark.h>

#include <bit>
#include <memory>

#include "paretofl/aggregators/mean.h"
#include "paretofl/core/random.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

std::vector<float> some_update(std::size_t size) {
  Random random({1}, "update");
  std::vector<float> update(size);
  for (float& x : update) x = static_cast<float>(random.uniform());
  return update;
}

void receive(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  Reply reply;
  reply.num_samples = 600;
  reply.losses = {1, 2};
  reply.update = some_update(size);
  const std::vector<std::byte> bytes = encode(reply);
  ArrivingMean mean(size, ClientWeighting::kSamples, 1000);
  for (auto _ : state) {
    Reply decoded = decode_reply(bytes);
    mean.add(decoded);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
}

void unmask(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<std::int64_t> values(size, 12345);
  Reply reply;
  reply.extra.arrays.emplace("masked", Array(std::span<const std::int64_t>(values)));
  const std::vector<std::byte> bytes = encode(reply);
  std::vector<std::uint64_t> sum(size);
  for (auto _ : state) {
    const Reply decoded = decode_reply(bytes);
    const auto masked = decoded.extra.array("masked").ints();
    for (std::size_t i = 0; i < size; ++i) sum[i] += std::bit_cast<std::uint64_t>(masked[i]);
    benchmark::DoNotOptimize(sum.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
}

void send(benchmark::State& state) {
  const std::vector<float> theta = some_update(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const Envelope envelope{0, Request("train").with(theta)};
    benchmark::DoNotOptimize(encode(envelope).data());
  }
}

BENCHMARK(receive)->Arg(10'000)->Arg(1'000'000)->Arg(100'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(unmask)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(send)->Arg(10'000)->Arg(1'000'000)->Arg(100'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paretofl
