// What a sum over the cohort costs with and without secure aggregation: benchmarks/secure_sum_benchmark
// `plain` and `secure` run one sum of the engine (combine_cohort, Round::sum) of updates of d numbers, every message encoded and decoded as
// between machines, one client after another, so that memory does not hold the whole cohort's. Counters, in CPU time of the process:
// client_ms of one client and server_ms, without its making of an update; up and down are the bytes of one client. With `silent`, a tenth
// of the clients falls silent when the updates are asked for. A request without theta: what a strategy sends down is the same in both.

#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>

#include "paretofl/aggregators/arriving_updates.h"
#include "paretofl/core/client.h"
#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_options.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

constexpr const char* kSend = "send_update";

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class UpdatingClient : public ClientHalf {
 public:
  explicit UpdatingClient(const std::vector<float>& update) : update_(update) {}
  Reply handle(const Request&, StreamId) override {
    Reply reply;
    reply.num_samples = 600;
    reply.update = update_;
    return reply;
  }

 private:
  const std::vector<float>& update_;
};

/// Sends every message as bytes, to one client after another, and measures what clients take.
class MeasuringRuntime : public Runtime {
 public:
  MeasuringRuntime(ClientHost& host, bool silent) : host_(host), silent_(silent) {}

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits&) override {
    Exchange result;
    for (const Envelope& envelope : envelopes) {
      const std::vector<std::byte> request = encode(envelope);
      result.bytes_down += request.size();
      const double start = cpu_seconds();
      std::vector<std::byte> answer;
      {
        Reply reply = host_.handle(decode_envelope(request));
        if (silent_ && envelope.request.verb == kSend && envelope.client % 10 == 3) reply.error = "gone";
        answer = encode(reply);
      }
      client_seconds_ += cpu_seconds() - start;
      result.replies.push_back(decode_reply(answer));
      if (!result.replies.back().error) result.bytes_up += answer.size();
      if (on_reply && !result.replies.back().error) on_reply(result.replies.back());
    }
    return result;
  }

  double client_seconds() const { return client_seconds_; }

 private:
  ClientHost& host_;
  bool silent_;
  double client_seconds_ = 0;
};

void sum(benchmark::State& state, bool secure) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const auto size = static_cast<std::size_t>(state.range(1));
  const bool silent = state.range(2) != 0;
  std::vector<float> update(size);
  Random random({1, 0, 0}, "update");
  for (float& x : update) x = static_cast<float>(random.uniform());
  PrivacyOptions privacy;
  privacy.secure_aggregation = secure;
  double client_seconds = 0, server_seconds = 0, up = 0, down = 0;
  for (auto _ : state) {
    const auto layout = flat_layout("theta", size);
    ClientHost host(privacy.protect([&](int) { return std::make_unique<UpdatingClient>(update); }, clients, *layout, simulated_secrets(1)));
    MeasuringRuntime runtime(host, silent);
    Releases releases = privacy.releases(clients, *layout, simulated_noise_key(1));
    const auto summation = privacy.summation(releases);
    Round round(runtime, {.seed = 1, .num_clients = static_cast<int>(clients), .summation = summation.get()}, 1);
    const Cohort cohort = round.sample_clients(clients);
    const Aggregation mean({}, ClientWeighting::kUniform);
    Exclusions exclusions;
    const double start = cpu_seconds();
    const CohortMean result = combine_cohort(round, cohort, Request(kSend), size, 0, mean, exclusions);
    server_seconds += cpu_seconds() - start - runtime.client_seconds();
    client_seconds += runtime.client_seconds();
    up = static_cast<double>(round.bytes_up()) / static_cast<double>(clients);
    down = static_cast<double>(round.bytes_down()) / static_cast<double>(clients);
    const std::size_t expected = silent ? clients - clients / 10 : clients;
    expect(result.cohort.size() == expected, "benchmark: expected {} clients in the sum, found {}", expected, result.cohort.size());
    for (const std::size_t i : {std::size_t{0}, size - 1}) {
      expect(std::abs(result.update[i] - update[i]) < 1e-6F, "benchmark: expected the mean {}, found {}", update[i], result.update[i]);
    }
  }
  const auto repeats = static_cast<double>(state.iterations());
  state.counters["client_ms"] = 1e3 * client_seconds / repeats / static_cast<double>(clients);
  state.counters["server_ms"] = 1e3 * server_seconds / repeats;
  state.counters["up"] = up;
  state.counters["down"] = down;
}

void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"clients", "d", "silent"})->Unit(benchmark::kMillisecond)->Iterations(1);
  for (const int silent : {0, 1}) {
    benchmark->Args({100, 100'000, silent})->Args({20, 1'000'000, silent})->Args({100, 1'000'000, silent})->Args({20, 10'000'000, silent});
  }
}

BENCHMARK_CAPTURE(sum, plain, false)->Apply(shapes);
BENCHMARK_CAPTURE(sum, secure, true)->Apply(shapes);

}  // namespace
}  // namespace paretofl
