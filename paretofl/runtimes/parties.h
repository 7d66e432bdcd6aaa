#pragma once

#include "paretofl/core/runtime.h"
#include "paretofl/runtimes/party_exchange.h"

namespace paretofl {

/// Clients that are processes of their parties (federation/resident_client.h). Derived classes carry the bytes to them.
class PartiesRuntime : public Runtime {
 public:
  /// A client that has not taken up its state ("load_state") before the deadline has failed and is not late.
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override;
  bool has_parties() const override { return true; }
  /// Asks every client for a sign of life. Throws Error if a party does not agree with the run, or if none can be reached; warns of those
  /// that can't.
  void begin(const RunIdentity& identity) override;

 protected:
  /// Carries every request and tells `exchange` of each what came of it, until the exchange is over. May throw Error where nothing can be
  /// carried at all.
  virtual void carry(PartyExchange& exchange) = 0;

 private:
  PartyLedger ledger_;
};

}  // namespace paretofl
