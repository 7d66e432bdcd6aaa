#include "paretofl/core/client.h"

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"

namespace paretofl {

ClientHost::ClientHost(ClientFactory factory, double dropout_rate) : factory_(std::move(factory)), dropout_rate_(dropout_rate) {}

ClientHost::Hosted& ClientHost::hosted(int id) {
  const std::lock_guard lock(mutex_);
  Hosted& client = clients_[id];
  if (!client.half) client.half = factory_(id);
  expect(client.half != nullptr, "client {}: expected the strategy to make its client half, found a null pointer", id);
  return client;
}

void ClientHost::begin(Hosted& client, std::uint32_t round) {
  const std::lock_guard lock(mutex_);
  if (round > round_) {
    for (Hosted* other : in_round_) {
      if (!other->serving) other->half->end_round();
    }
    in_round_.clear();
    round_ = round;
  }
  if (round == round_) in_round_.push_back(&client);
  client.serving = true;
}

void ClientHost::end(Hosted& client, std::uint32_t round) noexcept {
  const std::lock_guard lock(mutex_);
  client.serving = false;
  if (round != round_) client.half->end_round();
}

Reply ClientHost::answer_in_round(Hosted& client, const Envelope& envelope) {
  begin(client, envelope.request.round);
  try {
    Reply reply = client.half->handle(envelope.request, envelope.stream());
    end(client, envelope.request.round);
    return reply;
  } catch (...) {
    end(client, envelope.request.round);
    throw;
  }
}

Reply ClientHost::answer(const Envelope& envelope) {
  Reply reply;
  const bool asks_for_state = envelope.request.verb == kSaveState || envelope.request.verb == kLoadState;
  if (!asks_for_state && dropout_rate_ > 0 && Random(envelope.stream(), "dropout of " + envelope.request.verb).uniform() < dropout_rate_) {
    reply.error = "dropped out (simulated)";
    return reply;
  }
  Hosted& client = hosted(envelope.client);
  const std::lock_guard busy(client.busy);
  if (envelope.request.verb == kSaveState) {
    client.half->save(reply.extra);
  } else if (envelope.request.verb == kLoadState) {
    client.half->load(envelope.request.extra);
  } else {
    reply = answer_in_round(client, envelope);
  }
  return reply;
}

Reply ClientHost::handle(const Envelope& envelope) noexcept {
  Reply reply;
  try {
    reply = answer(envelope);
  } catch (const std::exception& failure) {
    reply = {};
    reply.error = explanation(failure);
  } catch (...) {
    reply = {};
    reply.error = "an exception of an unknown type";
  }
  reply.client = envelope.client;
  return reply;
}

}  // namespace paretofl
