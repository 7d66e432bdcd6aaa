#pragma once

#include <memory>
#include <optional>
#include <set>

#include "paretofl/core/client_models.h"
#include "paretofl/core/metrics.h"
#include "paretofl/core/model_simplex.h"
#include "paretofl/core/parameters.h"
#include "paretofl/core/round.h"

namespace paretofl {

/// The server half of a federated algorithm.
class ServerHalf {
 public:
  virtual ~ServerHalf() = default;

  /// Runs one round: makes the exchanges that the algorithm needs and then changes `global`. Changes
  /// neither `global` nor its own state before its last exchange, so that an abandoned round has
  /// no effect.
  virtual Metrics run_round(Round& round, Parameters& global) = 0;

  /// Whether run_round() also works where the round gives sums over the cohort alone (Round::sums_only). Default: it needs single replies.
  virtual bool works_on_sums() const { return false; }
  /// Whether it does so also where the sums have noise, and are of clipped numbers.
  virtual bool works_on_noised_sums() const { return works_on_sums(); }

  /// The clients' own models after the last round, for personalized strategies; null if all share `global`.
  virtual const ClientModels* client_models() const { return nullptr; }
  /// The clients' models after the last local training, before they were mixed: the result of a run that leaves out the
  /// last mixing. Null if client_models() returns these models already, or null.
  virtual const ClientModels* fine_tuned_models() const { return nullptr; }
  /// The models for every preference after the last round, of which `global` is that for the uniform one; null for other strategies.
  virtual const ModelSimplex* model_simplex() const { return nullptr; }

  /// State kept from round to round, for checkpoints.
  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

/// What one round left behind.
struct RoundReport {
  std::uint32_t round = 0;
  Metrics metrics;
  std::vector<Failure> failures;
  std::set<int> asked;                                     ///< clients that were sent anything
  std::size_t late = 0;                                    ///< replies that came after a deadline or after enough others
  std::optional<double> simulated_seconds = std::nullopt;  ///< of all exchanges, where the clock is simulated
  std::map<std::string, double> seconds;                   ///< wall time by phase
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  std::uint64_t measurement_bytes = 0;   ///< of exchanges for figures that training does without, both ways; not in the two above
  std::optional<std::string> abandoned;  ///< why the round was left undone
};

/// Runs rounds: owns the global parameters and the server half, and knows which clients have state.
class Server {
 public:
  Server(std::unique_ptr<ServerHalf> half, Runtime& runtime, const RoundOptions& options, Parameters initial);

  /// Rounds count from 1. Throws Error if the step leaves parameters that are not finite; this object is of no use then.
  RoundReport run_round(std::uint32_t number);

  const Parameters& global() const { return global_; }
  /// The clients' own models, or null if all share global().
  const ClientModels* client_models() const { return half_->client_models(); }
  const ClientModels* fine_tuned_models() const { return half_->fine_tuned_models(); }  ///< as ServerHalf says
  const ModelSimplex* model_simplex() const { return half_->model_simplex(); }          ///< likewise

  /// Everything a resumed run needs: parameters, the server half's state and every client's. Of a client that does not answer before the
  /// deadline of the options, if there is one, it is the state that was last saved, if any, and a warning says so.
  Record save();
  /// A party that is away then takes up its client's state before the next exchange with it, and has failed in exchanges until then.
  void load(const Record& state);

 private:
  /// Sends to clients outside of any round: not counted, and a failure is an Error, unless the reply is late.
  std::vector<Reply> ask(std::vector<Envelope> envelopes, const ExchangeLimits& limits);
  /// Lets clients take up the states that they are sent. A party that is away is noted in without_state_; other failures are an Error.
  void send_states(std::vector<Envelope> envelopes, const ExchangeLimits& limits);
  /// Called before an exchange with these clients. Notes them, and asks those that have not yet taken up their saved states to do so.
  /// Returns the clients that still have not.
  std::set<int> meet(std::span<const Envelope> envelopes);
  void note_answers(const Round& round);

  /// Whether a client may not answer when a checkpoint is written.
  bool clients_may_be_away() const { return options_.deadline.has_value() || runtime_.has_parties(); }

  std::unique_ptr<ServerHalf> half_;
  Runtime& runtime_;
  RoundOptions options_;
  Parameters global_;
  std::set<int> clients_seen_;
  ClientBackoff backoff_;                ///< of use only under a deadline
  std::map<int, Record> client_states_;  ///< as last saved or loaded; kept only where clients_may_be_away()
  std::set<int> without_state_;          ///< clients whose parties were away when a state was loaded, until they have taken up theirs
};

}  // namespace paretofl
