#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/exchange_limits.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/request.h"
#include "paretofl/core/run_identity.h"
#include "paretofl/core/texts.h"

namespace paretofl {

/// What came back from one exchange.
struct Exchange {
  std::vector<Reply> replies;                              ///< one per envelope, in the envelopes' order
  std::uint64_t bytes_down = 0;                            ///< server to clients, as encoded on the wire
  std::uint64_t bytes_up = 0;                              ///< clients to server, likewise; clients that failed or were late send nothing
  std::optional<double> simulated_seconds = std::nullopt;  ///< how long it took by the simulated clock, where there is one
};

/// Called with each reply of an exchange, in the envelopes' order, on any thread but one at a time, as soon as this reply and those before
/// it are there. It may take parts of the reply away, so that an exchange need not hold all of them.
using OnReply = std::function<void(Reply&)>;

/// Delivers requests to clients and returns their replies, between threads or processes; it does not look at
/// their meaning. One exchange at a time.
class Runtime {
 public:
  virtual ~Runtime() = default;
  /// Ends when every client has answered or failed, or earlier by `limits`. Whoever is missing then is late: its reply is Reply::late, and
  /// what it answers later is dropped. `on_reply` may be empty. What it throws is thrown when the exchange is over.
  virtual Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) = 0;
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply) { return exchange(envelopes, on_reply, {}); }
  Exchange exchange(std::span<const Envelope> envelopes) { return exchange(envelopes, {}, {}); }

  /// In a runtime of several processes one of them leads: it runs the server and calls exchange().
  /// The others call follow() instead, which answers requests until the leader's runtime is destroyed.
  virtual bool leads() const { return true; }
  virtual void follow() {}
  /// Throws Error in every process unless all of them call it with the same texts, such as the settings of a run.
  virtual void expect_same(const Texts&) {}
  /// What starts processes like these, to be put in front of a command, such as "mpirun -np 3 "; empty for a single process. The end of
  /// any of several processes ends the others.
  virtual std::string launcher() const { return {}; }

  /// Whether the clients are processes of their own that outlive the run and have their own data.
  virtual bool has_parties() const { return false; }
  /// Called before the first exchange where there are parties. Throws Error if one of them does not agree with the run.
  virtual void begin(const RunIdentity&) {}
};

}  // namespace paretofl
