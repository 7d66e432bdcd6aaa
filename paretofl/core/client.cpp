#include "paretofl/core/client.h"

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"

namespace paretofl {

ClientHost::ClientHost(ClientFactory factory, double dropout_rate) : factory_(std::move(factory)), dropout_rate_(dropout_rate) {}

ClientHalf& ClientHost::client(int id) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ClientHalf>& client = clients_[id];
  if (!client) client = factory_(id);
  return *client;
}

ClientHalf& ClientHost::client_in_round(int id, std::uint32_t round) {
  ClientHalf& half = client(id);
  const std::lock_guard lock(mutex_);
  if (round != round_) {
    for (ClientHalf* other : in_round_) other->end_round();
    in_round_.clear();
    round_ = round;
  }
  in_round_.push_back(&half);
  return half;
}

Reply ClientHost::answer(const Envelope& envelope) {
  Reply reply;
  if (envelope.request.verb == kSaveState) {
    client(envelope.client).save(reply.extra);
  } else if (envelope.request.verb == kLoadState) {
    client(envelope.client).load(envelope.request.extra);
  } else if (dropout_rate_ > 0 && Random(envelope.stream(), "dropout of " + envelope.request.verb).uniform() < dropout_rate_) {
    reply.error = "dropped out (simulated)";
  } else {
    reply = client_in_round(envelope.client, envelope.request.round).handle(envelope.request, envelope.stream());
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
