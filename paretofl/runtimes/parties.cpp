#include "paretofl/runtimes/parties.h"

#include <algorithm>

#include "paretofl/core/build_facts.h"
#include "paretofl/core/client.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/wire/party_request.h"

namespace paretofl {

Exchange PartiesRuntime::exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) {
  PartyExchange exchange(ledger_, envelopes, on_reply, {limits.deadline.value_or(longest_), limits.enough});
  carry(exchange);
  Exchange done = exchange.finish();
  for (std::size_t i = 0; i < envelopes.size(); ++i) {
    if (envelopes[i].request.verb == kLoadState && exchange.unreached().contains(envelopes[i].client))
      done.replies[i].lateness = Lateness::kDeadline;
  }
  return done;
}

void PartiesRuntime::begin(const RunIdentity& identity) {
  ledger_ = {.identity = identity, .agreed = digest(identity.agreed), .answered = {}, .kept = {}};
  std::vector<Envelope> envelopes;
  for (int client = 0; client < identity.num_clients; ++client) envelopes.push_back({client, Request(std::string(kHello))});
  PartyExchange hello(ledger_, envelopes, {}, {.deadline = patience_});
  carry(hello);
  if (!hello.disagreeing().empty()) {
    const auto& [client, what] = *hello.disagreeing().begin();
    throw Error(fmt::format("client {}: {}", client, what));
  }
  const std::vector<Reply> replies = hello.finish().replies;
  for (const Reply& reply : replies) {
    const auto build = reply.extra.texts.find(kBuild);
    if (reply.error || build == reply.extra.texts.end() || build->second == build_text()) continue;
    warn("warning: client {} has an engine that was built by {}, and the server one built by {}: the run's bits are those of neither",
         reply.client, build->second, build_text());
    break;
  }
  const auto missing = [](const Reply& reply) { return reply.error.has_value(); };
  const auto first = std::find_if(replies.begin(), replies.end(), missing);
  if (first == replies.end()) return;
  const auto count = std::count_if(replies.begin(), replies.end(), missing);
  expect(static_cast<std::size_t>(count) < replies.size(), "expected a party to answer, found none of {}; client {}: {}", replies.size(),
         first->client, *first->error);
  warn("warning: {} of {} clients do not answer; client {}: {}", count, replies.size(), first->client, *first->error);
}

}  // namespace paretofl
