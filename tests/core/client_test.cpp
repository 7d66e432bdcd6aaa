#include "paretofl/core/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <latch>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/thread_pool.h"
#include "tests/core/fake_runtime.h"

namespace paretofl {
namespace {

Envelope envelope(int client, std::string verb) { return {client, Request(std::move(verb))}; }

TEST(ClientHost, MakesEachClientOnceOnItsFirstRequest) {
  std::vector<int> made;
  ClientHost host([&](int client) {
    made.push_back(client);
    return std::make_unique<AddingClient>(client);
  });
  EXPECT_TRUE(made.empty());
  for (const int client : {4, 2, 4, 4, 2}) host.handle(envelope(client, "train"));
  EXPECT_THAT(made, testing::ElementsAre(4, 2));
}

TEST(ClientHost, StampsTheClientOnEveryReply) {
  ClientHost host([](int client) { return std::make_unique<AddingClient>(client); });
  EXPECT_EQ(host.handle(envelope(9, "train")).client, 9);
  EXPECT_EQ(host.handle(envelope(9, std::string(kSaveState))).client, 9);
}

struct Failing : ClientHalf {
  Reply handle(const Request& request, StreamId) override {
    if (request.verb == "throw an integer") throw 1;
    throw Error("client: expected mercy, found none");
  }
};

TEST(ClientHost, TurnsExceptionsIntoErrorReplies) {
  ClientHost host([](int client) {
    expect(client != 3, "no client 3");
    return std::make_unique<Failing>();
  });
  EXPECT_EQ(host.handle(envelope(1, "train")).error, "client: expected mercy, found none");
  EXPECT_EQ(host.handle(envelope(1, "train")).client, 1);
  EXPECT_EQ(host.handle(envelope(3, "train")).error, "no client 3");
  EXPECT_EQ(host.handle(envelope(3, "train")).error, "no client 3") << "and again";
  EXPECT_TRUE(host.handle(envelope(1, "throw an integer")).error.has_value());
}

TEST(ClientHost, TellsThoseWhoTookPartThatTheRoundIsOver) {
  struct Counting : ClientHalf {
    int& ended;
    explicit Counting(int& count) : ended(count) {}
    Reply handle(const Request&, StreamId) override { return {}; }
    void end_round() noexcept override { ++ended; }
  };
  std::vector<int> ended(3);
  ClientHost host([&](int client) { return std::make_unique<Counting>(ended[static_cast<std::size_t>(client)]); });
  const auto ask = [&](int client, std::uint32_t round) {
    Envelope envelope{client, Request("anything")};
    envelope.request.round = round;
    host.handle(envelope);
  };
  ask(0, 1);
  ask(1, 1);
  EXPECT_EQ(ended, (std::vector<int>{0, 0, 0}));
  ask(2, 2);
  EXPECT_EQ(ended, (std::vector<int>{1, 1, 0}));
  ask(2, 3);
  EXPECT_EQ(ended, (std::vector<int>{1, 1, 1})) << "0 and 1 had no request in round 2";
}

/// A client whose requests "wait" last until it is released, and that counts.
struct Slow : ClientHalf {
  std::latch& begun;
  std::latch& released;
  std::atomic<int>& ended;
  std::atomic<int> inside = 0;
  Slow(std::latch& begins, std::latch& release, std::atomic<int>& ends) : begun(begins), released(release), ended(ends) {}
  Reply handle(const Request& request, StreamId) override {
    EXPECT_EQ(++inside, 1) << "one request at a time";
    if (request.verb == "wait") {
      begun.count_down();
      released.wait();
    }
    --inside;
    return {};
  }
  void end_round() noexcept override {
    EXPECT_EQ(inside, 0) << "not while it serves a request";
    ++ended;
  }
};

TEST(ClientHost, ALateClientEndsItsRoundWhenItIsDone) {
  std::latch begun(1);
  std::latch released(1);
  std::array<std::atomic<int>, 2> ended{};
  ClientHost host([&](int client) { return std::make_unique<Slow>(begun, released, ended.at(static_cast<std::size_t>(client))); });
  const auto ask = [&](int client, const char* verb, std::uint32_t round) {
    Envelope envelope{client, Request(verb)};
    envelope.request.round = round;
    return host.handle(envelope);
  };
  std::thread late([&] { ask(0, "wait", 1); });
  begun.wait();
  ask(1, "train", 2);
  ask(1, "train", 3);
  EXPECT_EQ(ended[0], 0) << "it is still busy in round 1";
  EXPECT_EQ(ended[1], 1);
  std::thread next([&] { ask(0, "train", 3); });
  std::thread saving([&] { ask(0, "save_state", 3); });
  released.count_down();
  late.join();
  next.join();
  saving.join();
  EXPECT_EQ(ended[0], 1);
  ask(1, "train", 4);
  EXPECT_EQ(ended[0], 2);
  EXPECT_EQ(ended[1], 2);
}

TEST(ClientHost, SavesAndLoadsState) {
  ClientHost host([](int client) { return std::make_unique<AddingClient>(client); });
  host.handle(envelope(1, "train"));
  host.handle(envelope(1, "train"));
  const Record saved = host.handle(envelope(1, std::string(kSaveState))).extra;
  EXPECT_EQ(saved.scalar("calls"), 2);
  ClientHost other([](int client) { return std::make_unique<AddingClient>(client); });
  Envelope load = envelope(1, std::string(kLoadState));
  load.request.extra = saved;
  EXPECT_FALSE(other.handle(load).error);
  EXPECT_EQ(other.handle(envelope(1, std::string(kSaveState))).extra, saved);
  EXPECT_TRUE(other.handle(envelope(1, std::string(kLoadState))).error.has_value()) << "a state without its fields";
}

std::vector<int> dropped(double rate, std::uint64_t seed, const std::string& verb) {
  ClientHost host([](int client) { return std::make_unique<AddingClient>(client); }, rate);
  std::vector<int> dropped;
  for (int client = 0; client < 1000; ++client) {
    Envelope one = envelope(client, verb);
    one.request.seed = seed;
    if (host.handle(one).error) dropped.push_back(client);
  }
  return dropped;
}

TEST(ClientHost, DropoutIsDrawnFromTheStreamOfClientRoundAndVerb) {
  const auto first = dropped(0.3, 1, "train");
  EXPECT_NEAR(static_cast<double>(first.size()), 300, 75);
  EXPECT_EQ(dropped(0.3, 1, "train"), first);
  EXPECT_NE(dropped(0.3, 2, "train"), first);
  EXPECT_NE(dropped(0.3, 1, "sketch"), first);
  EXPECT_TRUE(dropped(0, 1, "train").empty());
  EXPECT_TRUE(dropped(0.99, 1, std::string(kSaveState)).empty()) << "checkpoints are spared";
}

TEST(ClientHost, HandlesDifferentClientsFromSeveralThreads) {
  std::atomic<int> made = 0;
  ClientHost host([&](int client) {
    ++made;
    return std::make_unique<AddingClient>(client);
  });
  ThreadPool pool(4);
  for (int round = 0; round < 5; ++round) {
    pool.for_each(200, [&](std::size_t i) { host.handle(envelope(static_cast<int>(i), "train")); });
  }
  EXPECT_EQ(made, 200);
  EXPECT_EQ(host.handle(envelope(150, std::string(kSaveState))).extra.scalar("calls"), 5);
}

}  // namespace
}  // namespace paretofl
