#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/request.h"

namespace paretofl {

/// The client half of a federated algorithm: one instance per client, kept from round to round. It
/// shares only messages with the server half, also in a simulation.
class ClientHalf {
 public:
  virtual ~ClientHalf() = default;

  /// Answers a request. May throw: the host turns exceptions into error replies. Random numbers come
  /// from streams of `stream`, so an answer depends on the request and this client's state alone.
  virtual Reply handle(const Request& request, StreamId stream) = 0;

  /// Called after the round of this client's last request: state that lives only within a round can be dropped. A client may
  /// have dropped out before the request that would have used that state.
  virtual void end_round() noexcept {}

  /// State that must survive the process, for checkpoints. State that lives only within a round is not saved.
  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

using ClientFactory = std::function<std::unique_ptr<ClientHalf>(int client)>;

/// Verbs that the host answers itself, for checkpoints.
inline constexpr std::string_view kSaveState = "save_state";
inline constexpr std::string_view kLoadState = "load_state";

/// Hosts the clients of one process: makes each on its first request and keeps it. Safe to call from several threads. Requests to one
/// client are served one at a time. A client may still be busy with a request of an earlier round, whose answer nobody waits for.
class ClientHost {
 public:
  /// `dropout_rate` in [0, 1): the chance that a client drops out of an exchange, drawn from its own
  /// stream, to study partial participation.
  explicit ClientHost(ClientFactory factory, double dropout_rate = 0);

  /// Never throws: a failure is an error in the reply.
  Reply handle(const Envelope& envelope) noexcept;

 private:
  struct Hosted {
    std::mutex busy;  ///< held while the client serves a request
    std::unique_ptr<ClientHalf> half;
    bool serving = false;  ///< a request of a round; afterwards that round ends for the client if it is over by then
  };

  Hosted& hosted(int id);
  Reply answer(const Envelope& envelope);
  Reply answer_in_round(Hosted& client, const Envelope& envelope);
  void begin(Hosted& client, std::uint32_t round);
  void end(Hosted& client, std::uint32_t round) noexcept;

  ClientFactory factory_;
  double dropout_rate_;
  std::mutex mutex_;
  std::unordered_map<int, Hosted> clients_;
  std::uint32_t round_ = 0;        ///< the latest round of any request
  std::vector<Hosted*> in_round_;  ///< clients with a request in that round, some more than once
};

}  // namespace paretofl
