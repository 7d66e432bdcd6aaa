#include "paretofl/secure_sums/secure_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "paretofl/core/client.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/masked_client.h"
#include "paretofl/privacy/secure_summation.h"
#include "paretofl/secure_sums/masking_client.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kNumbers = 40;
constexpr int kBits = 32;

/// What client `client` answers.
Reply plain_reply(int client) {
  Random random({7, 1, static_cast<std::uint32_t>(client)}, "plain reply");
  Reply reply;
  reply.num_samples = 1 + client;
  for (std::size_t i = 0; i < kNumbers; ++i) reply.update.push_back(static_cast<float>(random.normal()));
  reply.losses = {random.uniform(), random.uniform()};
  const std::vector<double> lambda{random.uniform()};
  reply.extra.arrays.emplace("lambda", Array(std::span<const double>(lambda)));
  return reply;
}

class PlainClient : public ClientHalf {
 public:
  explicit PlainClient(int client) : client_(client) {}
  Reply handle(const Request& request, StreamId) override {
    expect(request.verb == "train" && request.extra.empty(), "expected the strategy's own request, found another");
    return plain_reply(client_);
  }

 private:
  int client_;
};

const SumSpec kSpec{.by_samples = true, .update = kNumbers, .losses = 2, .figures = {{"lambda", 1}}};

/// Runs the clients one after the other, and shows every message to the test, which may change it.
class WatchedRuntime : public Runtime {
 public:
  explicit WatchedRuntime(int clients)
      : host_(with_masking([](int client) { return std::make_unique<PlainClient>(client); },
                           {FixedPoint(kBits, static_cast<std::size_t>(clients))},
                           [](int client) { return Secret().derive("root of " + std::to_string(client)); })) {}

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits&) override {
    Exchange exchange;
    for (Envelope envelope : envelopes) {
      if (before) before(envelope);
      Reply reply = host_.handle(envelope);
      if (after) after(envelope.request.verb, reply);
      if (on_reply) on_reply(reply);
      exchange.replies.push_back(std::move(reply));
    }
    return exchange;
  }

  std::function<void(Envelope&)> before;
  std::function<void(const std::string& verb, Reply&)> after;

 private:
  ClientHost host_;
};

struct Federation {
  explicit Federation(int clients, std::size_t neighbours = 100, double threshold = 0.67)
      : releases({}, FixedPoint(kBits, static_cast<std::size_t>(clients)), {}, {}),
        summation({threshold, neighbours}, releases),
        runtime(clients) {
    options.seed = 3;
    options.num_clients = clients;
    options.min_reply_fraction = 0.1;
    options.summation = &summation;
  }

  CohortMean sum(std::uint32_t number = 1) {
    Round round(runtime, options, number);
    const Cohort cohort = round.sample_clients(static_cast<std::size_t>(options.num_clients));
    try {
      CohortMean mean = round.sum(cohort, Request("train"), kSpec);
      failures = round.failures();
      return mean;
    } catch (...) {
      failures = round.failures();
      throw;
    }
  }
  /// Lets clients fall silent in the exchange of a verb.
  void silence(const std::string& verb, const std::vector<int>& clients) {
    runtime.after = [verb, clients](const std::string& of, Reply& reply) {
      if (of == verb && std::find(clients.begin(), clients.end(), reply.client) != clients.end()) {
        const int client = reply.client;
        reply = {};
        reply.client = client;
        reply.error = "gone";
      }
    };
  }

  Releases releases;
  SecureSummation summation;
  RoundOptions options;
  WatchedRuntime runtime;
  std::vector<Failure> failures;
};

/// The mean of these clients' plain replies.
void expect_mean_of(const CohortMean& found, const std::vector<int>& clients) {
  EXPECT_EQ(found.cohort.clients, clients);
  std::vector<double> update(kNumbers);
  std::vector<double> losses(2);
  double lambda = 0;
  double weight = 0;
  for (const int client : clients) {
    const Reply reply = plain_reply(client);
    weight += reply.num_samples;
    for (std::size_t i = 0; i < kNumbers; ++i) update[i] += reply.num_samples * reply.update[i];
    for (std::size_t k = 0; k < 2; ++k) losses[k] += reply.num_samples * reply.losses[k];
    lambda += reply.num_samples * reply.extra.array("lambda").doubles()[0];
  }
  EXPECT_EQ(found.weight, weight);
  const double bound = static_cast<double>(clients.size()) * std::ldexp(1.0, -kBits - 1) / weight;
  for (std::size_t i = 0; i < kNumbers; ++i) EXPECT_NEAR(found.update[i], update[i] / weight, bound + 6e-8 * std::abs(found.update[i]));
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found.losses[k], losses[k] / weight, bound);
  EXPECT_NEAR(found.figures.at("lambda")[0], lambda / weight, bound);
}

std::vector<int> clients_but(int count, const std::vector<int>& left_out) {
  std::vector<int> clients;
  for (int i = 0; i < count; ++i) {
    if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) clients.push_back(i);
  }
  return clients;
}

TEST(SecureSum, IsThePlainSumWithinTheStatedBound) {
  for (const int clients : {3, 4, 10, 40}) {
    for (const std::size_t neighbours : {100U, 6U}) {
      Federation federation(clients, neighbours);
      expect_mean_of(federation.sum(), clients_but(clients, {}));
    }
  }
}

TEST(SecureSum, SurvivesClientsThatFallSilentInEveryExchange) {
  for (const std::string verb : {SecureSum::kKeysVerb, SecureSum::kSharesVerb, "train", SecureSum::kUnmaskVerb}) {
    for (const std::size_t neighbours : {100U, 10U}) {
      Federation federation(20, neighbours, 0.6);
      federation.silence(verb, {0, 7, 19});
      const bool counts = verb == SecureSum::kUnmaskVerb;  // their values had come by then
      expect_mean_of(federation.sum(), clients_but(20, counts ? std::vector<int>() : std::vector<int>{0, 7, 19}));
    }
  }
}

TEST(SecureSum, FailsClosedWhereTooFewAreLeft) {
  const std::vector<int> most{0, 1, 2, 3};
  for (const std::string verb : {SecureSum::kSharesVerb, "train", SecureSum::kUnmaskVerb}) {
    Federation federation(10, 100, 0.67);  // 9 neighbours, of whom 7 must stay
    federation.silence(verb, most);
    EXPECT_THROW(federation.sum(), RoundAbandoned) << verb;
  }
  Federation pair(2);
  EXPECT_THAT([&] { pair.sum(); }, ThrowsMessage<RoundAbandoned>(HasSubstr("expected at least 3 clients that send keys, found 2")));
}

TEST(SecureSum, WhatTheServerReceivesIsAsGoodAsRandom) {
  std::vector<double> masked(256);
  std::vector<double> plain(256);
  const FixedPoint fixed(kBits, 5);
  for (std::uint32_t number = 1; number <= 100; ++number) {
    Federation federation(5);
    federation.runtime.after = [&](const std::string& verb, Reply& reply) {
      if (verb != "train") return;
      for (const std::byte byte : reply.extra.array(SecureSum::kMasked).bytes()) ++masked[static_cast<std::size_t>(byte)];
      for (const float value : plain_reply(reply.client).update) {
        for (std::uint64_t word = fixed.encode(value), i = 0; i < 8; ++i, word >>= 8U) ++plain[word & 0xff];
      }
    };
    federation.sum(number);
  }
  const auto chi_square = [](const std::vector<double>& counts) {
    double total = 0;
    for (const double count : counts) total += count;
    double sum = 0;
    for (const double count : counts) sum += (count - total / 256) * (count - total / 256) / (total / 256);
    return sum;
  };
  EXPECT_NEAR(chi_square(masked), 255, 5 * 22.6);  // five standard deviations
  EXPECT_GT(chi_square(plain), 10000);
}

TEST(SecureSum, TheSameValuesAreMaskedAnewInEverySum) {
  std::vector<std::vector<std::int64_t>> seen;
  for (std::uint32_t number = 1; number <= 2; ++number) {
    Federation federation(4);
    federation.runtime.after = [&](const std::string& verb, Reply& reply) {
      if (verb != "train" || reply.client != 0) return;
      const auto values = reply.extra.array(SecureSum::kMasked).ints();
      seen.emplace_back(values.begin(), values.end());
    };
    federation.sum(1);
  }
  for (std::size_t i = 0; i < seen[0].size(); ++i) EXPECT_NE(seen[0][i], seen[1][i]);
}

/// Changes a byte of an array in the replies of a verb.
void alter_bytes(WatchedRuntime& runtime, const std::string& verb, int client, const std::string& name, std::size_t at) {
  runtime.after = [=](const std::string& of, Reply& reply) {
    if (of != verb || reply.client != client) return;
    Array& array = reply.extra.arrays.at(name);
    std::vector<std::byte> bytes(array.bytes().begin(), array.bytes().end());
    bytes[at] ^= std::byte{1};
    array = Array(array.type(), array.shape(), std::move(bytes));
  };
}

TEST(SecureSum, AlteredSharesAreCaught) {
  Federation sealed(10, 100, 0.6);  // one neighbour of client 4 can't open its share, and sends nothing
  alter_bytes(sealed.runtime, SecureSum::kSharesVerb, 4, "shares", 3);
  expect_mean_of(sealed.sum(), clients_but(10, {0}));
  ASSERT_EQ(sealed.failures.size(), 1U);
  EXPECT_EQ(sealed.failures[0].client, 0);
  EXPECT_THAT(sealed.failures[0].reason, HasSubstr("found an altered one"));

  Federation revealed(10, 100, 1.0);
  alter_bytes(revealed.runtime, SecureSum::kUnmaskVerb, 4, "shares", 3);
  EXPECT_THAT([&] { revealed.sum(); }, ThrowsMessage<RoundAbandoned>(HasSubstr("found altered ones")));
  Federation committed(10);
  alter_bytes(committed.runtime, SecureSum::kSharesVerb, 4, "commitment", 0);
  EXPECT_THAT([&] { committed.sum(); }, ThrowsMessage<RoundAbandoned>(HasSubstr("expected shares of client 4's mask, found altered ones")));
}

TEST(SecureSum, SwappedAndRepeatedSharesAreCaught) {
  Federation federation(10, 100, 0.6);
  Record first;
  federation.runtime.before = [&](Envelope& envelope) {
    if (envelope.request.verb != "train") return;
    Record& told = envelope.request.extra.records.at(SecureSum::kRecord);
    if (envelope.client == 3) {  // the shares of two neighbours change places
      SealedShares shares = SealedShares::load(told);
      std::swap(shares.by_client.at(5), shares.by_client.at(6));
      told.arrays["shares"] = shares.save().arrays.at("shares");
    }
  };
  expect_mean_of(federation.sum(), clients_but(10, {3}));

  Federation again(10, 100, 0.6);  // client 3 gets the shares of an earlier sum
  int sums = 0;
  again.runtime.before = [&](Envelope& envelope) {
    if (envelope.request.verb != "train" || envelope.client != 3) return;
    Record& told = envelope.request.extra.records.at(SecureSum::kRecord);
    if (++sums == 1) {
      first = told;
    } else {
      told.arrays["shares"] = first.arrays.at("shares");
    }
  };
  expect_mean_of(again.sum(1), clients_but(10, {}));
  expect_mean_of(again.sum(2), clients_but(10, {3}));
}

TEST(SecureSum, BadMessagesAreTheirSendersFailures) {
  for (const std::string verb : {SecureSum::kKeysVerb, SecureSum::kSharesVerb, "train"}) {
    Federation federation(10, 100, 0.6);
    federation.runtime.after = [&](const std::string& of, Reply& reply) {
      if (of == verb && reply.client == 2) reply.extra = {};
    };
    expect_mean_of(federation.sum(), clients_but(10, {2}));
    ASSERT_EQ(federation.failures.size(), 1U) << verb;
    EXPECT_EQ(federation.failures[0].client, 2);
  }
}

// Of a key of zeros no secret comes, at whichever neighbour.
TEST(SecureSum, AKeyThatMakesNoSecretIsItsSendersFailure) {
  for (const char* key : {"sealing", "masking"}) {
    Federation federation(10, 100, 0.6);
    federation.runtime.after = [&](const std::string& of, Reply& reply) {
      if (of != SecureSum::kKeysVerb || reply.client != 3) return;
      MaskingKeys keys = MaskingKeys::load(reply.extra);
      (key == std::string("sealing") ? keys.sealing : keys.masking) = {};
      reply.extra = keys.save();
    };
    expect_mean_of(federation.sum(), clients_but(10, {3}));
    ASSERT_EQ(federation.failures.size(), 1U) << key;
    EXPECT_EQ(federation.failures[0].client, 3);
  }
}

TEST(SecureSum, RepliesOfOneClientAreRefusedOutsideOfIt) {
  Federation federation(5);
  Round round(federation.runtime, federation.options, 1);
  const Cohort cohort = round.sample_clients(5);
  EXPECT_THAT([&] { round.broadcast(cohort, Request("train")); }, ThrowsMessage<Error>(HasSubstr("expected a request for a sum")));
  EXPECT_THAT([&] { round.exchange({{1, Request("train")}}); }, ThrowsMessage<Error>(HasSubstr("expected a request for a sum")));
}

TEST(SecureSum, AClientTellsNothingOfItselfAlone) {
  ClientHost host(
      with_masking([](int client) { return std::make_unique<PlainClient>(client); }, {FixedPoint(kBits, 3)}, [](int) { return Secret(); }));
  const Reply reply = host.handle({0, Request("train")});
  ASSERT_TRUE(reply.error.has_value());
  EXPECT_THAT(*reply.error, HasSubstr("expected a request for a sum over the cohort"));
  EXPECT_TRUE(reply.update.empty());
}

TEST(SecureSum, AClientKeepsToItsOwnThreshold) {
  const auto shares_asked = [](std::size_t neighbours, std::size_t threshold) {
    ClientHost host(with_masking([](int client) { return std::make_unique<PlainClient>(client); },
                                 {.fixed_point = FixedPoint(kBits, 8), .threshold = 0.67},
                                 [](int client) { return Secret().derive(std::to_string(client)); }));
    const auto asked = [&](int client, const char* verb, Record told) {
      told.texts.emplace(SecureSum::kName, "sum");
      Request request(verb);
      request.extra.records.emplace(SecureSum::kRecord, std::move(told));
      return host.handle({client, request});
    };
    MaskingSetup setup{threshold, {}};
    for (std::size_t i = 1; i <= neighbours; ++i) {
      const int other = static_cast<int>(i);
      setup.neighbours.emplace(other, MaskingKeys::load(asked(other, SecureSum::kKeysVerb, {}).extra));
    }
    asked(0, SecureSum::kKeysVerb, {});
    return asked(0, SecureSum::kSharesVerb, setup.save()).error.value_or("");
  };
  EXPECT_EQ(shares_asked(6, 5), "");
  EXPECT_THAT(shares_asked(6, 4), HasSubstr("expected at least 2 neighbours and privacy.threshold, 0.67, of them to stay, found 4 of 6"));
  EXPECT_THAT(shares_asked(1, 1), HasSubstr("expected at least 2 neighbours"));
}

TEST(MaskingClient, GivesAwayOneKindOfShareAlone) {
  std::vector<MaskingClient> clients;
  MaskingSetup setup{2, {}};
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back(i, Secret().derive(std::to_string(i)));
    setup.neighbours.emplace(i, clients.back().begin("sum", "once"));
  }
  std::vector<SealedShares> dealt;
  for (int i = 0; i < 4; ++i) {
    MaskingSetup own = setup;
    own.neighbours.erase(i);
    for (const std::size_t bad : {1U, 4U}) {
      own.threshold = bad;
      EXPECT_THAT([&] { clients[static_cast<std::size_t>(i)].share(own); }, ThrowsMessage<Error>(HasSubstr("more than half")));
    }
    own.threshold = 2;
    dealt.push_back(clients[static_cast<std::size_t>(i)].share(own));
  }
  EXPECT_THAT([&] { clients[0].share(setup); }, ThrowsMessage<Error>(HasSubstr("in their order, each once")));
  EXPECT_THAT([&] { clients[0].reveal({{0, 1, 2}, {3}}); }, ThrowsMessage<Error>(HasSubstr("in their order, each once")));
  const auto shares_for = [&](int client, const std::vector<int>& from) {
    SealedShares received;
    for (const int other : from) received.by_client.emplace(other, dealt[static_cast<std::size_t>(other)].by_client.at(client));
    return received;
  };
  std::vector<std::uint64_t> values(3);
  EXPECT_THAT([&] { clients[0].mask(shares_for(0, {1}), values); }, ThrowsMessage<Error>(HasSubstr("at least 2 neighbours, found 1")));
  clients[0].mask(shares_for(0, {1, 2, 3}), values);
  EXPECT_THAT([&] { clients[0].mask(shares_for(0, {1, 2, 3}), values); }, ThrowsMessage<Error>(HasSubstr("each once")));
  EXPECT_THAT([&] { clients[0].reveal({{0, 1, 2, 3}, {3}}); }, ThrowsMessage<Error>(HasSubstr("each once, found 3")));
  EXPECT_THAT([&] { clients[0].reveal({{0, 1, 2}, {3}}); }, ThrowsMessage<Error>(HasSubstr("in their order, each once")));  // it is over
}

}  // namespace
}  // namespace paretofl
