#pragma once

#include "paretofl/core/runtime.h"
#include "paretofl/runtimes/party_exchange.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Clients that are processes of their parties (federation/resident_client.h). Derived classes carry the bytes to them.
class PartiesRuntime : public Runtime {
 public:
  /// options.patience_seconds is the deadline of begin(), and options.longest_seconds that of exchanges without one.
  explicit PartiesRuntime(const RuntimeOptions& options)
      : patience_(std::chrono::duration<double>(options.patience_seconds)),
        longest_(std::chrono::duration<double>(options.longest_seconds)) {}

  /// Where a client is asked to take up its state ("load_state") and its party can't be reached, it is late, too.
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override;
  bool has_parties() const override { return true; }
  /// Asks every client for a sign of life. Throws Error if a party does not agree with the run, or if none answers in time; warns of those
  /// that don't.
  void begin(const RunIdentity& identity) override;

 protected:
  /// Carries every request and tells `exchange` of each what came of it, until the exchange is over. May throw Error where nothing can be
  /// carried at all.
  virtual void carry(PartyExchange& exchange) = 0;

 private:
  std::chrono::duration<double> patience_, longest_;
  PartyLedger ledger_;
};

}  // namespace paretofl
