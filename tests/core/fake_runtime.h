#pragma once

#include <set>
#include <vector>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"

namespace paretofl {

/// A client whose answer to "train" is theta plus its id and the number of its calls so far.
class AddingClient : public ClientHalf {
 public:
  explicit AddingClient(int client) : client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    ++calls_;
    Reply reply;
    reply.num_samples = 1;
    if (request.parameters) reply.update = *request.parameters;
    for (float& x : reply.update) x += static_cast<float>(client_ + calls_);
    reply.losses = {Random(stream, "loss").uniform()};
    return reply;
  }
  void save(Record& state) const override { state.scalars["calls"] = calls_; }
  void load(const Record& state) override { calls_ = state.scalar("calls"); }

 private:
  int client_;
  double calls_ = 0;
};

/// Hosts AddingClients in line, notes what it was asked, and lets chosen clients fail or be late.
class FakeRuntime : public Runtime {
 public:
  explicit FakeRuntime(double dropout_rate = 0) : host_([](int client) { return std::make_unique<AddingClient>(client); }, dropout_rate) {}

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    Exchange exchange;
    std::size_t answers = 0;
    for (const Envelope& envelope : envelopes) {
      asked.push_back(envelope);
      Reply reply;
      if (answers == limits.enough) {
        reply = Reply::late(envelope.client, Lateness::kEnough);
      } else if (limits.deadline && late.contains(envelope.client)) {
        reply = Reply::late(envelope.client, Lateness::kDeadline);
      } else if (failing.contains(envelope.client)) {
        reply.client = envelope.client;
        reply.error = "on strike";
      } else {
        reply = host_.handle(envelope);
        exchange.bytes_up += 10;
        ++answers;
      }
      exchange.bytes_down += 100;
      if (on_reply) on_reply(reply);
      exchange.replies.push_back(std::move(reply));
    }
    return exchange;
  }

  bool has_parties() const override { return parties; }

  std::vector<Envelope> asked;
  bool parties = false;
  std::set<int> failing;
  std::set<int> late;  ///< where there is a deadline

 private:
  ClientHost host_;
};

}  // namespace paretofl
