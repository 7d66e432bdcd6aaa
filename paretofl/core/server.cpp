#include "paretofl/core/server.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>

#include "paretofl/core/client.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {
namespace {

/// How long clients may take to load their state where there is a deadline, if that is not longer: they may be made only then.
constexpr std::chrono::duration<double> kLoadingTime = std::chrono::minutes(10);

/// Lets an inner runtime exchange with those clients that are not held back; the others have failed.
class HoldingRuntime : public Runtime {
 public:
  using Before = std::function<std::set<int>(std::span<const Envelope>)>;

  /// before: called before each exchange, returns the clients that are held back.
  HoldingRuntime(Runtime& inner, Before before) : inner_(inner), before_(std::move(before)) {}

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    const std::set<int> held = before_(envelopes);
    if (held.empty()) return inner_.exchange(envelopes, on_reply, limits);
    std::vector<Envelope> others;
    for (const Envelope& envelope : envelopes) {
      if (!held.contains(envelope.client)) others.push_back(envelope);
    }
    Exchange done = inner_.exchange(others, on_reply, limits);
    std::vector<Reply> replies = std::move(done.replies);
    done.replies.clear();
    auto next = std::make_move_iterator(replies.begin());
    for (const Envelope& envelope : envelopes) {
      if (!held.contains(envelope.client)) {
        done.replies.push_back(*next++);
        continue;
      }
      Reply& reply = done.replies.emplace_back();
      reply.client = envelope.client;
      reply.error = "was away when the run was resumed, and has not taken up its state yet";
    }
    return done;
  }

 private:
  Runtime& inner_;
  Before before_;
};

Envelope loading(int client, const Record& state) {
  Envelope envelope{client, Request(std::string(kLoadState))};
  envelope.request.extra = state;
  return envelope;
}

int client_id(std::string_view text, int num_clients) {
  int client = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), client);
  expect(error == std::errc() && stop == text.data() + text.size() && client >= 0 && client < num_clients,
         "checkpoint: expected client ids below {}, found '{}'", num_clients, text);
  return client;
}

/// Throws where a value is not finite: nothing that is computed from it could be.
void expect_finite(std::span<const float> values, std::uint32_t round, const char* whose) {
  const auto bad = std::count_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  expect(bad == 0,
         "round {}: expected {} to be finite after the step, found {} of {} numbers that are not; smaller learning rates may help", round,
         whose, bad, values.size());
}

}  // namespace

Server::Server(std::unique_ptr<ServerHalf> half, Runtime& runtime, const RoundOptions& options, Parameters initial)
    : half_(std::move(half)), runtime_(runtime), options_(options), global_(std::move(initial)) {}

RoundReport Server::run_round(std::uint32_t number) {
  const auto start = std::chrono::steady_clock::now();
  HoldingRuntime holding(runtime_, [&](std::span<const Envelope> envelopes) { return meet(envelopes); });
  Round round(holding, options_, number, backoff_);
  RoundReport report;
  report.round = number;
  try {
    report.metrics = half_->run_round(round, global_);
  } catch (const RoundAbandoned& abandoned) {
    report.abandoned = abandoned.what();
  }
  expect_finite(global().values(), number, "the global parameters");
  if (const ClientModels* models = half_->client_models()) expect_finite(models->values(), number, "the clients' models");
  if (const ModelSimplex* simplex = half_->model_simplex()) expect_finite(simplex->vertices().values(), number, "the vertices");
  note_answers(round);
  report.failures = round.failures();
  report.asked = round.asked();
  report.late = round.late();
  report.simulated_seconds = round.simulated_seconds();
  report.seconds = round.seconds();
  report.bytes_up = round.bytes_up();
  report.bytes_down = round.bytes_down();
  report.measurement_bytes = round.measurement_bytes();
  double exchanging = 0;
  for (const auto& [verb, seconds] : report.seconds) exchanging += seconds;
  const double total = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.seconds["server"] = std::max(0.0, total - exchanging);
  return report;
}

std::set<int> Server::meet(std::span<const Envelope> envelopes) {
  std::vector<Envelope> states;
  for (const Envelope& envelope : envelopes) {
    clients_seen_.insert(envelope.client);
    if (without_state_.contains(envelope.client)) states.push_back(loading(envelope.client, client_states_.at(envelope.client)));
  }
  send_states(std::move(states), {.deadline = options_.deadline});
  return without_state_;
}

void Server::note_answers(const Round& round) {
  if (!options_.deadline) return;
  std::set<int> missed;
  for (const Failure& failure : round.failures()) missed.insert(failure.client);
  for (const int client : missed) backoff_.missed(client, round.number());
  for (const int client : round.answered()) {
    if (!missed.contains(client)) backoff_.answered(client);
  }
}

std::vector<Reply> Server::ask(std::vector<Envelope> envelopes, const ExchangeLimits& limits) {
  if (envelopes.empty()) return {};
  std::vector<Reply> replies = runtime_.exchange(envelopes, {}, limits).replies;
  for (const Reply& reply : replies) {
    const bool may_fail = reply.lateness != Lateness::kInTime || runtime_.has_parties();
    expect(!reply.error || may_fail, "checkpoint: expected client {} to answer, found: {}", reply.client, reply.error.value_or(""));
  }
  return replies;
}

void Server::send_states(std::vector<Envelope> envelopes, const ExchangeLimits& limits) {
  for (const Reply& reply : ask(std::move(envelopes), limits)) {
    if (!reply.error) {
      without_state_.erase(reply.client);
      continue;
    }
    expect(runtime_.has_parties() && reply.lateness != Lateness::kInTime, "checkpoint: expected client {} to load its state, found: {}",
           reply.client, *reply.error);
    if (without_state_.insert(reply.client).second)
      warn("warning: client {} is away and takes up its state when it is back: {}", reply.client, *reply.error);
  }
}

Record Server::save() {
  Record state;
  state.arrays.emplace("parameters", Array(global().values()));
  half_->save(state.records["server"]);
  if (options_.deadline) state.records.emplace("backoff", backoff_.save());
  std::vector<Envelope> envelopes;
  for (const int client : clients_seen_) {
    if (!without_state_.contains(client)) envelopes.push_back({client, Request(std::string(kSaveState))});
  }
  Record& clients = state.records["clients"];
  for (const int client : without_state_) clients.records.emplace(std::to_string(client), client_states_.at(client));
  std::string late;
  for (Reply& reply : ask(std::move(envelopes), {.deadline = options_.deadline})) {
    if (reply.error) {
      late += (late.empty() ? "" : ", ") + std::to_string(reply.client);
      reply.extra = client_states_[reply.client];
    } else if (clients_may_be_away()) {
      client_states_[reply.client] = reply.extra;
    }
    if (!reply.extra.empty()) clients.records.emplace(std::to_string(reply.client), std::move(reply.extra));
  }
  if (!late.empty()) {
    warn("checkpoint: expected the state of client {}{}, found none; its last saved one is kept", late,
         options_.deadline ? " before the deadline" : "");
  }
  return state;
}

void Server::load(const Record& state) {
  const auto values = float_array(state, "parameters", global_.size());
  std::vector<Envelope> envelopes;
  for (const auto& [name, saved] : state.record("clients").records) {
    envelopes.push_back(loading(client_id(name, options_.num_clients), saved));
    clients_seen_.insert(envelopes.back().client);
  }
  if (options_.deadline) backoff_.load(state.record("backoff"), options_.num_clients);
  if (clients_may_be_away()) {
    for (const Envelope& envelope : envelopes) client_states_[envelope.client] = envelope.request.extra;
  }
  half_->load(state.record("server"));
  ExchangeLimits limits;
  if (options_.deadline) limits.deadline = std::max(*options_.deadline, kLoadingTime);
  send_states(std::move(envelopes), limits);
  std::copy(values.begin(), values.end(), global_.values().begin());
}

}  // namespace paretofl
