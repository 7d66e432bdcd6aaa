#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/run_identity.h"
#include "paretofl/core/runtime.h"
#include "paretofl/runtimes/replies_in_order.h"

namespace paretofl {

/// What the server knows of its run's exchanges with parties.
struct PartyLedger {
  RunIdentity identity;
  std::string agreed;                     ///< digest of identity.agreed
  std::uint64_t exchange = 0;             ///< number of the last one
  std::map<int, std::uint64_t> answered;  ///< the last one that each client has answered
  std::map<int, std::string> kept;        ///< the state of each client that was saved or loaded last
};

/// One exchange with parties, for whoever carries the bytes: asks for the bytes of each request, and is told of each client, in any order
/// but from one thread at a time, what came back. What it is made from must outlive it.
class PartyExchange {
 public:
  PartyExchange(PartyLedger& ledger, std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits);

  std::size_t size() const { return envelopes_.size(); }
  int client(std::size_t index) const { return envelopes_[index].client; }
  /// The bytes for that client's party.
  std::vector<std::byte> request(std::size_t index);

  /// Seconds after its beginning at which the exchange ends; empty: none.
  std::optional<std::chrono::duration<double>> deadline() const { return limits_.deadline; }
  /// Whether nobody is waited for any more: all have answered or failed, or are late. What comes in now is dropped.
  bool over() { return replies_.over(); }

  void answered(std::size_t index, std::span<const std::byte> bytes);
  /// The client can't be reached, or not in time.
  void failed(std::size_t index, std::string reason);

  /// To be called when the exchange is over. Rethrows what `on_reply` has thrown.
  Exchange finish();
  /// The clients whose party does not agree with the run, each with what differs.
  const std::map<int, std::string>& disagreeing() const { return disagreeing_; }
  /// The clients of which failed() was told in time.
  const std::set<int>& unreached() const { return unreached_; }

 private:
  PartyLedger& ledger_;
  std::span<const Envelope> envelopes_;
  ExchangeLimits limits_;
  Exchange exchange_;
  RepliesInOrder replies_;
  std::map<int, std::string> disagreeing_;
  std::set<int> unreached_;
};

}  // namespace paretofl
