// What every registered runtime promises. The mpi runtime's cases need an MPI job, which ctest starts as
// conformance_mpi: there rank 0 checks and the other ranks follow.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/flower.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/runtimes/simulated_time.h"
#include "paretofl/wire/message.h"
#include "tests/federation/served_clients.h"

namespace paretofl {
namespace {

/// Answers by request and state alone, and keeps a count of its calls.
class CountingClient : public ClientHalf {
 public:
  explicit CountingClient(int client) : client_(client) { expect(client != 666, "no client {}", client); }

  Reply handle(const Request& request, StreamId stream) override {
    ++calls_;
    expect(request.verb != "fail" && !(request.verb == "fail_if_odd" && client_ % 2 == 1), "client {} fails", client_);
    Reply reply;
    reply.num_samples = 10.0 * client_;
    if (request.parameters) reply.update = *request.parameters;
    float* update = reply.update.data();  // by pointers, as tests are not optimized and some messages are large
    for (std::size_t i = 0; i < reply.update.size(); ++i) update[i] *= static_cast<float>(client_ + 1);
    reply.losses = request.objective_weights;
    reply.losses.push_back(Random(stream, "answer").normal());
    reply.extra = request.extra;
    if (request.verb != "forget") reply.extra.scalars["calls"] = calls_;
    if (request.verb == "nest") {
      Record* deepest = &reply.extra;
      for (int i = 0; i < 100; ++i) deepest = &deepest->records["in"];
    }
    return reply;
  }

  void save(Record& state) const override { state.scalars["calls"] = calls_; }
  void load(const Record& state) override { calls_ = state.scalar("calls"); }

 private:
  int client_;
  double calls_ = 0;
};

constexpr int kPopulation = 40;

std::unique_ptr<ClientHalf> make_client(int client) { return std::make_unique<CountingClient>(client); }

Request request(std::string verb, std::size_t count = 5) {
  std::vector<float> theta(count);
  float* values = theta.data();
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) - 2.5F;
  Request request = Request(std::move(verb)).with(theta).with_objective_weights({0.25, 0.75});
  request.seed = 17;
  request.round = 3;
  request.extra.texts["note"] = "kept";
  return request;
}

std::vector<Envelope> broadcast(const std::vector<int>& clients, const Request& request) {
  std::vector<Envelope> envelopes;
  for (const int client : clients) envelopes.push_back({client, request});
  return envelopes;
}

struct Case {
  std::string name;
  int threads;
  bool through_wire;
};

bool is_of_parties(const std::string& name) { return name == "sockets" || name == "flower"; }

bool in_mpi_job() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

class RuntimeConformance : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != nullptr && std::string(rank) != "0") delete listeners.Release(listeners.default_result_printer());
  }

  /// Makes the runtime and gives it to `lead` where it leads; elsewhere follows.
  void with_runtime(const std::function<void(Runtime&)>& lead, RuntimeOptions options = {}) {
    ThreadPool pool(static_cast<std::size_t>(GetParam().threads));
    options.threads = GetParam().threads;
    options.through_wire = GetParam().through_wire;
    std::optional<ServedClients> parties;
    if (is_of_parties(GetParam().name)) options.sockets = parties.emplace(make_client, options.dropout_rate).socket();
    if (GetParam().name == "flower") {  // whatever carries the bytes
      set_carrier([&parties](PartyExchange& exchange) {
        for (std::size_t i = exchange.size(); i-- > 0;) exchange.answered(i, parties->answer(exchange.request(i)));
      });
    }
    const auto runtime = with_simulated_time(runtimes().at(GetParam().name).make(options, pool, make_client), options, 17, kPopulation);
    if (runtime->has_parties()) runtime->begin({.run = std::string(32, 'a'), .starts = {1}, .agreed = {}, .num_clients = 0});
    EXPECT_NO_THROW(runtime->expect_same({{"seed", "1"}, {"rounds", std::string(1 << 20, '3')}}));
    if (runtime->leads()) {
      lead(*runtime);
    } else {
      runtime->follow();
    }
  }
};

/// One host, one envelope after the other: what every runtime must equal.
struct Reference {
  explicit Reference(double dropout_rate = 0) : host(make_client, dropout_rate) {}

  void check(Runtime& runtime, const std::vector<Envelope>& envelopes) {
    const Exchange found = runtime.exchange(envelopes);
    Exchange expected;
    for (const Envelope& envelope : envelopes) {
      expected.replies.push_back(host.handle(envelope));
      expected.bytes_down += encoded_size(envelope);
      if (!expected.replies.back().error) expected.bytes_up += encoded_size(expected.replies.back());
    }
    ASSERT_EQ(found.replies.size(), expected.replies.size());
    for (std::size_t i = 0; i < envelopes.size(); ++i) ASSERT_EQ(found.replies[i], expected.replies[i]) << "envelope " << i;
    EXPECT_EQ(found.bytes_down, expected.bytes_down);
    EXPECT_EQ(found.bytes_up, expected.bytes_up);
  }

  ClientHost host;
};

TEST_P(RuntimeConformance, RepliesComeInTheOrderOfTheEnvelopes) {
  with_runtime([](Runtime& runtime) {
    std::vector<int> clients;
    for (int i = 0; i < 37; ++i) clients.push_back(i * 11 % 37);
    Reference().check(runtime, broadcast(clients, request("train")));
  });
}

TEST_P(RuntimeConformance, RepliesArePassedOnInTheOrderOfTheEnvelopes) {
  with_runtime([](Runtime& runtime) {
    std::vector<int> clients;
    for (int i = 0; i < 37; ++i) clients.push_back(i * 11 % 37);
    clients.push_back(666);
    const std::vector<Envelope> envelopes = broadcast(clients, request("fail_if_odd"));
    std::vector<Reply> passed;
    const Exchange exchange = runtime.exchange(envelopes, [&](Reply& reply) {
      passed.push_back(reply);
      reply.update.clear();
    });
    ASSERT_EQ(passed.size(), envelopes.size());
    for (std::size_t i = 0; i < envelopes.size(); ++i) {
      EXPECT_EQ(passed[i].client, envelopes[i].client);
      EXPECT_EQ(passed[i].update.empty(), passed[i].error.has_value());
      EXPECT_TRUE(exchange.replies[i].update.empty());
      EXPECT_EQ(exchange.replies[i].error, passed[i].error);
    }
  });
}

TEST_P(RuntimeConformance, WhatIsThrownOverAReplyIsThrownAfterTheExchange) {
  with_runtime([](Runtime& runtime) {
    Reference reference;
    const std::vector<Envelope> envelopes = broadcast({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, request("train"));
    int passed = 0;
    EXPECT_THROW(runtime.exchange(envelopes,
                                  [&](Reply& reply) {
                                    ++passed;
                                    expect(reply.client < 3, "refused");
                                  }),
                 Error);
    EXPECT_EQ(passed, 4);
    for (const Envelope& envelope : envelopes) reference.host.handle(envelope);
    reference.check(runtime, envelopes);
  });
}

TEST_P(RuntimeConformance, EachClientCanGetItsOwnRequest) {
  with_runtime([](Runtime& runtime) {
    std::vector<Envelope> envelopes;
    for (int i = 0; i < 20; ++i) envelopes.push_back({i, request("train", static_cast<std::size_t>(i) * 100)});
    envelopes.push_back({20, Request("train")});
    Reference().check(runtime, envelopes);
  });
}

TEST_P(RuntimeConformance, StateStaysWithTheClient) {
  with_runtime([](Runtime& runtime) {
    Reference reference;
    reference.check(runtime, broadcast({0, 1, 2, 3, 4, 5}, request("train")));
    reference.check(runtime, broadcast({1, 4}, request("train")));
    reference.check(runtime, broadcast({5, 1, 0}, request("train")));
    reference.check(runtime, broadcast({0, 1, 2, 3, 4, 5}, request("train")));
  });
}

TEST_P(RuntimeConformance, StatesAreSavedAndLoaded) {
  with_runtime([](Runtime& runtime) {
    if (runtime.has_parties()) return;  // their states do not leave them: tests/parties
    Reference reference;
    std::vector<Envelope> states = broadcast({0, 1, 2}, Request(std::string(kLoadState)));
    for (std::size_t i = 0; i < states.size(); ++i) states[i].request.extra.scalars["calls"] = 100.0 * static_cast<double>(i);
    reference.check(runtime, states);
    reference.check(runtime, broadcast({0, 1, 2, 3}, request("train")));
    reference.check(runtime, broadcast({0, 1, 2, 3, 4}, Request(std::string(kSaveState))));
  });
}

TEST_P(RuntimeConformance, AFailureIsAReplyAndSendsNothing) {
  with_runtime([](Runtime& runtime) {
    Reference reference;
    reference.check(runtime, broadcast({0, 1, 2, 3, 4, 5, 666}, request("fail_if_odd")));
    reference.check(runtime, broadcast({0, 1, 2}, request("fail")));
    reference.check(runtime, broadcast({0, 1, 2}, request("train")));
  });
}

TEST_P(RuntimeConformance, AReplyThatCannotBeSentIsAFailure) {
  with_runtime([](Runtime& runtime) {
    const Exchange exchange = runtime.exchange(broadcast({0, 1}, request("nest")));
    ASSERT_EQ(exchange.replies.size(), 2U);
    EXPECT_EQ(exchange.bytes_up, 0U);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(exchange.replies[static_cast<std::size_t>(i)].client, i);
      EXPECT_EQ(exchange.replies[static_cast<std::size_t>(i)].error, "message: expected records nested at most 32 deep, found more");
    }
  });
}

TEST_P(RuntimeConformance, ARequestThatCannotBeSentIsRefused) {
  with_runtime([](Runtime& runtime) {
    Request nested("train");
    Record* deepest = &nested.extra;
    for (int i = 0; i < 100; ++i) deepest = &deepest->records["in"];
    EXPECT_THROW(runtime.exchange(broadcast({0, 1}, nested)), Error);
    Reference().check(runtime, broadcast({0, 1}, request("train")));
  });
}

TEST_P(RuntimeConformance, DropoutIsTheSameEverywhere) {
  with_runtime(
      [](Runtime& runtime) {
        std::vector<int> clients(50);
        std::iota(clients.begin(), clients.end(), 0);
        Reference(0.5).check(runtime, broadcast(clients, request("train")));
      },
      {.dropout_rate = 0.5});
}

TEST_P(RuntimeConformance, ThousandClients) {
  with_runtime([](Runtime& runtime) {
    std::vector<int> clients(1000);
    std::iota(clients.begin(), clients.end(), 0);
    Reference reference;
    reference.check(runtime, broadcast(clients, request("train", 100)));
    reference.check(runtime, broadcast(clients, request("train", 100)));
  });
}

TEST_P(RuntimeConformance, BigMessages) {
  // 36 MiB, which frames and MPI messages carry in two whole pieces and a part of one.
  with_runtime([](Runtime& runtime) { Reference().check(runtime, broadcast({0, 1, 2}, request("train", (std::size_t{36} << 18) - 13))); });
}

/// What a client answers that remembers nothing.
void expect_answer(const Reply& reply, const Envelope& envelope) {
  EXPECT_EQ(reply.client, envelope.client);
  EXPECT_EQ(reply.error, std::nullopt);
  ASSERT_EQ(reply.update.size(), envelope.request.parameters->size());
  const float* sent = envelope.request.parameters->data();
  const float* answered = reply.update.data();
  std::size_t different = 0;
  for (std::size_t i = 0; i < reply.update.size(); ++i)
    different += answered[i] != sent[i] * static_cast<float>(envelope.client + 1) ? 1 : 0;
  EXPECT_EQ(different, 0U);
}

TEST_P(RuntimeConformance, EndsAfterEnoughAnswersAndNeverAppliesLateOnes) {
  with_runtime([](Runtime& runtime) {
    for (std::size_t size = 1; size <= 60; ++size) {  // so that an answer to another exchange has another size
      const std::vector<Envelope> envelopes =
          broadcast({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, request("forget", size % 4 == 0 ? size * 5000 : size));
      const std::size_t enough = 1 + size % 10;
      std::vector<int> passed;
      const Exchange exchange = runtime.exchange(envelopes, [&](Reply& reply) { passed.push_back(reply.client); }, {.enough = enough});
      EXPECT_EQ(passed, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
      std::size_t answered = 0;
      std::uint64_t bytes_up = 0;
      for (std::size_t i = 0; i < envelopes.size(); ++i) {
        const Reply& reply = exchange.replies[i];
        if (reply.lateness == Lateness::kInTime) {
          ++answered;
          bytes_up += encoded_size(reply);
          expect_answer(reply, envelopes[i]);
        } else {
          EXPECT_EQ(reply, Reply::late(envelopes[i].client, Lateness::kEnough));
        }
      }
      EXPECT_EQ(answered, enough);
      EXPECT_EQ(exchange.bytes_up, bytes_up);
      EXPECT_GE(exchange.bytes_down, enough * encoded_size(envelopes[0]));
      EXPECT_LE(exchange.bytes_down, envelopes.size() * encoded_size(envelopes[0]));
    }
    const std::vector<Envelope> last = broadcast({9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, request("forget", 77));
    const Exchange exchange = runtime.exchange(last);
    for (std::size_t i = 0; i < last.size(); ++i) expect_answer(exchange.replies[i], last[i]);
  });
}

TEST_P(RuntimeConformance, FailuresAreNoneOfTheAnswers) {
  with_runtime([](Runtime& runtime) {
    const Exchange exchange = runtime.exchange(broadcast({1, 3, 5, 7, 8}, request("fail_if_odd")), {}, {.enough = 2});
    for (const Reply& reply : exchange.replies) {
      EXPECT_EQ(reply.lateness, Lateness::kInTime) << "all have answered or failed";
      EXPECT_EQ(reply.error.has_value(), reply.client != 8);
    }
  });
}

TEST_P(RuntimeConformance, AtTheDeadlineTheRestIsLate) {
  with_runtime([](Runtime& runtime) {
    const std::vector<Envelope> envelopes = broadcast({0, 1, 2, 3, 4}, request("forget"));
    for (int i = 0; i < 20; ++i) {
      const Exchange exchange = runtime.exchange(envelopes, {}, {.deadline = std::chrono::duration<double>(0)});
      EXPECT_EQ(exchange.bytes_up, 0U);
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(exchange.replies[j], Reply::late(static_cast<int>(j), Lateness::kDeadline));
    }
    const Exchange exchange = runtime.exchange(envelopes, {}, {.deadline = std::chrono::hours(1)});
    for (std::size_t i = 0; i < 5; ++i) expect_answer(exchange.replies[i], envelopes[i]);
  });
}

/// Clients one after the other in this process.
class LineRuntime : public Runtime {
 public:
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply&, const ExchangeLimits&) override {
    Exchange exchange;
    for (const Envelope& envelope : envelopes) {
      exchange.replies.push_back(host_.handle(envelope));
      exchange.bytes_down += encoded_size(envelope);
      if (!exchange.replies.back().error) exchange.bytes_up += encoded_size(exchange.replies.back());
    }
    return exchange;
  }

 private:
  ClientHost host_{make_client};
};

TEST_P(RuntimeConformance, SimulatedTimeIsTheSameEverywhere) {
  const RuntimeOptions options{.simulated_seconds = 2, .simulated_spread = 0.4, .straggler_share = 0.25, .straggler_slowdown = 10};
  with_runtime(
      [&](Runtime& runtime) {
        const auto reference = with_simulated_time(std::make_unique<LineRuntime>(), options, 17, kPopulation);
        std::vector<int> clients(kPopulation);
        std::iota(clients.begin(), clients.end(), 0);
        std::size_t late = 0;
        for (std::uint32_t round = 1; round <= 12; ++round) {
          Request asked = request(round % 3 == 0 ? "fail_if_odd" : "train");
          asked.round = round;
          const std::vector<Envelope> envelopes = broadcast(clients, asked);
          ExchangeLimits limits;
          if (round % 2 == 0) limits.deadline = std::chrono::duration<double>(2.4);
          if (round % 4 > 1) limits.enough = 25;
          std::vector<int> passed;
          const Exchange found = runtime.exchange(
              envelopes, [&](Reply& reply) { passed.push_back(reply.client); }, limits);
          const Exchange expected = reference->exchange(envelopes, {}, limits);
          EXPECT_EQ(passed, clients);
          EXPECT_EQ(found.replies, expected.replies);
          EXPECT_EQ(found.simulated_seconds, expected.simulated_seconds);
          EXPECT_EQ(found.bytes_down, expected.bytes_down);
          EXPECT_EQ(found.bytes_up, expected.bytes_up);
          for (const Reply& reply : found.replies) late += reply.lateness != Lateness::kInTime ? 1 : 0;
        }
        EXPECT_GT(late, 40U);
      },
      options);
}

TEST_P(RuntimeConformance, NoEnvelopes) {
  with_runtime([](Runtime& runtime) { Reference().check(runtime, {}); });
}

TEST_P(RuntimeConformance, OneAfterTheOtherAndThroughExceptions) {
  for (int i = 0; i < 3; ++i) {
    try {
      with_runtime([](Runtime& runtime) {
        Reference().check(runtime, broadcast({0, 1, 2}, request("train")));
        throw std::runtime_error("the server fails");
      });
    } catch (const std::runtime_error&) {
    }
  }
}

/// In an MPI job the mpi runtime, whose messages are bytes in any case; outside of one all others.
/// ctest runs both: conformance and conformance_mpi.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const RegistryEntry* entry : runtimes().entries()) {
    if ((entry->name == "mpi") != in_mpi_job()) continue;
    if (is_of_parties(entry->name)) {  // whatever the threads: the clients are elsewhere
      cases.push_back({entry->name, 1, true});
      continue;
    }
    for (const int threads : {1, 2, 5}) {
      cases.push_back({entry->name, threads, false});
      if (!in_mpi_job()) cases.push_back({entry->name, threads, true});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, RuntimeConformance, testing::ValuesIn(cases()), [](const auto& info) {
  return fmt::format("{}_{}{}", info.param.name, info.param.threads, info.param.through_wire ? "_through_wire" : "");
});

}  // namespace
}  // namespace paretofl
