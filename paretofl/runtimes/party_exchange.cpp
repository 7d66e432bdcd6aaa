#include "paretofl/runtimes/party_exchange.h"

#include <fmt/format.h>

#include "paretofl/core/client.h"
#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"
#include "paretofl/wire/party_request.h"

namespace paretofl {

PartyExchange::PartyExchange(PartyLedger& ledger, std::span<const Envelope> envelopes, const OnReply& on_reply,
                             const ExchangeLimits& limits)
    : ledger_(ledger),
      envelopes_(envelopes),
      limits_(limits),
      exchange_{.replies = std::vector<Reply>(envelopes.size())},
      replies_(exchange_.replies, on_reply, envelopes, envelopes.size(), limits_) {
  ++ledger_.exchange;
}

std::vector<std::byte> PartyExchange::request(std::size_t index) {
  const auto previous = ledger_.answered.find(client(index));
  exchange_.bytes_down += encoded_size(envelopes_[index]);
  Envelope envelope = envelopes_[index];
  const auto kept = ledger_.kept.find(client(index));
  if (envelope.request.verb == kSaveState && kept != ledger_.kept.end())
    envelope.request.extra.texts.emplace(std::string(kKept), kept->second);
  return encode(PartyRequest{.run = ledger_.identity.run,
                             .starts = ledger_.identity.starts,
                             .exchange = ledger_.exchange,
                             .previous = previous == ledger_.answered.end() ? 0 : previous->second,
                             .agreed = ledger_.agreed,
                             .envelope = std::move(envelope)});
}

void PartyExchange::answered(std::size_t index, std::span<const std::byte> bytes) {
  Reply reply;
  try {
    reply = decode_reply(bytes);
    expect(reply.client == client(index), "expected a reply of client {}, found one of client {}", client(index), reply.client);
  } catch (const Error& error) {
    return failed(index, error.what());
  }
  if (const auto has = reply.extra.records.find(kPartyHas); reply.error && has != reply.extra.records.end()) {
    const Texts theirs(has->second.texts.begin(), has->second.texts.end());
    const auto difference = first_difference(ledger_.identity.agreed, theirs);
    if (difference)
      reply.error = fmt::format("expected {} {} at the party, found {}", difference->name, difference->first, difference->second);
    disagreeing_.emplace(reply.client, *reply.error);
    reply.extra = {};
  }
  const bool succeeded = !reply.error;
  const Request& asked = envelopes_[index].request;
  const Texts& said = asked.verb == kLoadState ? asked.extra.texts : reply.extra.texts;
  std::optional<std::string> kept;
  if (const auto found = said.find(kKept); found != said.end() && (asked.verb == kSaveState || asked.verb == kLoadState))
    kept = found->second;
  if (!replies_.arrived(index, std::move(reply)) || !succeeded) return;
  exchange_.bytes_up += bytes.size();
  ledger_.answered[client(index)] = ledger_.exchange;
  if (kept) ledger_.kept[client(index)] = *kept;
}

void PartyExchange::failed(std::size_t index, std::string reason) {
  Reply reply;
  reply.client = client(index);
  reply.error = std::move(reason);
  if (replies_.arrived(index, std::move(reply))) unreached_.insert(client(index));
}

Exchange PartyExchange::finish() {
  replies_.finish();
  return std::move(exchange_);
}

}  // namespace paretofl
