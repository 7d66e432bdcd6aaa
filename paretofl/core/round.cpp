#include "paretofl/core/round.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace paretofl {

Round::Round(Runtime& runtime, const RoundOptions& options, std::uint32_t number) : runtime_(runtime), options_(options), number_(number) {}

Round::Round(Runtime& runtime, const RoundOptions& options, std::uint32_t number, const ClientBackoff& backoff)
    : runtime_(runtime), options_(options), number_(number), backoff_(&backoff) {}

Cohort Round::sample_clients(std::size_t count) {
  const auto population = static_cast<std::size_t>(options_.num_clients);
  expect(count >= 1 && count <= population, "cohort: expected 1 to {} clients, found {}", population, count);
  const StreamId id{options_.sampling_seed.value_or(options_.seed), number_, kServerStream};
  Random stream = Random(id, "sample_clients").substream("cohort", draws_.size());
  static const ClientBackoff kNobody;
  const std::vector<int> available = (backoff_ ? *backoff_ : kNobody).available(options_.num_clients, number_, count);
  if (options_.poisson) {
    Cohort cohort;
    const auto expected = std::min(count, available.size());
    draws_.push_back({expected, available.size()});
    const double rate = static_cast<double>(expected) / static_cast<double>(available.size());
    for (const int client : available) {
      if (stream.uniform() < rate) cohort.clients.push_back(client);
    }
    cohort.sampled = cohort.size();
    return cohort;
  }
  // A product such as 1.1 * 10 may come out a little above the whole number it stands for.
  const double wanted = std::ceil(static_cast<double>(count) * (1 + options_.over_sample) - 1e-9);
  const auto drawn = static_cast<std::size_t>(std::min(wanted, static_cast<double>(available.size())));
  draws_.push_back({drawn, available.size()});
  Cohort cohort{{}, count};
  for (const std::size_t index : stream.sample_without_replacement(available.size(), drawn)) cohort.clients.push_back(available[index]);
  std::sort(cohort.clients.begin(), cohort.clients.end());
  return cohort;
}

Replies Round::broadcast(const Cohort& cohort, const Request& request, const OnReply& on_reply) {
  std::vector<Envelope> envelopes;
  for (const int client : cohort.clients) envelopes.push_back({client, request});
  return send(std::move(envelopes), cohort.sampled, on_reply);
}

Replies Round::exchange(std::vector<Envelope> envelopes, const OnReply& on_reply) {
  const std::size_t sampled = envelopes.size();
  return send(std::move(envelopes), sampled, on_reply);
}

CohortMean Round::sum(const Cohort& cohort, const Request& request, const SumSpec& spec) {
  expect(sums_only(), "sum: expected a summation among the round's options, found none");
  summing_ = true;
  try {
    CohortMean mean = options_.summation->sum(*this, cohort, request, spec);
    summing_ = false;
    return mean;
  } catch (...) {
    summing_ = false;
    throw;
  }
}

Random Round::random(std::string_view purpose) const { return Random({options_.seed, number_, kServerStream}, purpose); }

Replies Round::send(std::vector<Envelope> envelopes, std::size_t sampled, const OnReply& on_reply) {
  expect(!envelopes.empty(), "exchange: expected at least one request, found none");
  expect(!sums_only() || summing_, "exchange: expected a request for a sum over the cohort alone, found one for single replies, '{}'",
         envelopes.front().request.verb);
  std::stable_sort(envelopes.begin(), envelopes.end(), [](const Envelope& a, const Envelope& b) { return a.client < b.client; });
  for (std::size_t i = 0; i < envelopes.size(); ++i) {
    const int client = envelopes[i].client;
    expect(client >= 0 && client < options_.num_clients, "exchange: expected client ids below {}, found {}", options_.num_clients, client);
    expect(i == 0 || client != envelopes[i - 1].client, "exchange: expected one request per client, found two for client {}", client);
  }
  for (Envelope& envelope : envelopes) {
    envelope.request.seed = options_.seed;
    envelope.request.round = number_;
    asked_.insert(envelope.client);
  }
  const auto start = std::chrono::steady_clock::now();
  const OnReply on_answer = [&](Reply& reply) {
    if (!reply.error) on_reply(reply);
  };
  const ExchangeLimits limits{options_.deadline, sampled < envelopes.size() ? sampled : ExchangeLimits::kAll};
  Exchange exchange = runtime_.exchange(envelopes, on_reply ? on_answer : OnReply(), limits);
  seconds_[envelopes.front().request.verb] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (measuring_) {
    measurement_bytes_ += exchange.bytes_up + exchange.bytes_down;
  } else {
    bytes_up_ += exchange.bytes_up;
    bytes_down_ += exchange.bytes_down;
  }
  if (exchange.simulated_seconds) simulated_seconds_ = simulated_seconds_.value_or(0) + *exchange.simulated_seconds;

  Replies answered{answers(envelopes, std::move(exchange.replies)), sampled};
  // A product such as 0.55 * 100 may come out a little above the whole number it stands for.
  const double needed = std::max(1.0, std::ceil(options_.min_reply_fraction * static_cast<double>(sampled) - 1e-9));
  if (static_cast<double>(answered.size()) < needed) {
    const std::string why = failures_.empty() ? "" : fmt::format("; client {}: {}", failures_.back().client, failures_.back().reason);
    throw RoundAbandoned(fmt::format("round {}: expected at least {} of {} replies to '{}', found {}{}", number_, needed, sampled,
                                     envelopes.front().request.verb, answered.size(), why));
  }
  return answered;
}

std::vector<Reply> Round::answers(std::span<const Envelope> envelopes, std::vector<Reply> replies) {
  std::vector<Reply> answered;
  for (std::size_t i = 0; i < envelopes.size(); ++i) {
    Reply& reply = replies[i];
    late_ += reply.lateness != Lateness::kInTime ? 1 : 0;
    if (!reply.error) {
      answered_.insert(reply.client);
      answered.push_back(std::move(reply));
    } else if (reply.lateness != Lateness::kEnough) {  // who was not needed has not failed
      failures_.push_back({reply.client, envelopes[i].request.verb, *reply.error});
    }
  }
  return answered;
}

}  // namespace paretofl
