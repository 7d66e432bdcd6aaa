#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "paretofl/core/client_backoff.h"
#include "paretofl/core/cohort.h"
#include "paretofl/core/error.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/summation.h"

namespace paretofl {

/// Thrown by an exchange that too few clients answered; the server then leaves the round undone.
class RoundAbandoned : public Error {
 public:
  using Error::Error;
};

/// A client that did not answer.
struct Failure {
  int client;
  std::string verb;
  std::string reason;
};

/// What every round of a run shares.
struct RoundOptions {
  std::uint64_t seed = 0;
  int num_clients = 0;
  double min_reply_fraction = 0.5;  ///< share of the clients asked for that must answer; otherwise the round is abandoned
  std::optional<std::chrono::duration<double>> deadline = std::nullopt;  ///< of each exchange; empty: none
  double over_sample = 0;                                                ///< share of additional clients that a cohort begins with
  /// Each client is in a cohort with the same probability, on its own; otherwise cohorts have their size.
  bool poisson = false;
  std::optional<std::uint64_t> sampling_seed = std::nullopt;  ///< of cohorts, where those who know the seed must not know them
  Summation* summation = nullptr;                             ///< where the server may see sums alone; it must outlive the rounds
};

/// How a cohort was drawn.
struct CohortDraw {
  std::size_t drawn;      ///< how many clients; with Poisson sampling, how many are expected
  std::size_t available;  ///< of how many
};

/// One round as a strategy's server half sees it: draw clients, send requests, get replies.
class Round {
 public:
  /// The references must outlive the object.
  Round(Runtime& runtime, const RoundOptions& options, std::uint32_t number);
  Round(Runtime& runtime, const RoundOptions& options, std::uint32_t number, const ClientBackoff& backoff);

  std::uint32_t number() const { return number_; }
  int num_clients() const { return options_.num_clients; }

  /// Draws ceil(count * (1 + over_sample)) distinct clients uniformly from those that do not sit out. The first exchange with them goes on
  /// with the first `count` that answer. If too few clients do not sit out, the cohort is all of these; if they are fewer than `count`,
  /// those that come back soonest are added. With RoundOptions::poisson, each client that does not sit out is drawn with the probability
  /// by which `count` are expected, so that a cohort can be empty. Throws Error unless 1 <= count <= num_clients().
  Cohort sample_clients(std::size_t count);
  const std::vector<CohortDraw>& draws() const { return draws_; }  ///< of the cohorts so far

  /// Sends one request to every client of the cohort. Throws RoundAbandoned when fewer than
  /// min_reply_fraction of the clients sampled (and at least one) answer. `on_reply` sees every answer as it comes, by ascending client
  /// id, and may take parts of it away: sums need not wait for all.
  Replies broadcast(const Cohort& cohort, const Request& request, const OnReply& on_reply = {});

  /// Sends each client its own request, for personalized models; likewise.
  Replies exchange(std::vector<Envelope> envelopes, const OnReply& on_reply = {});

  /// Whether the server may see sums over the cohort alone: broadcast() and exchange() are then for the summation alone, and throw Error
  /// elsewhere.
  bool sums_only() const { return options_.summation != nullptr; }
  /// The mean over the cohort of the numbers that `spec` names, by the options' summation: nothing of a single reply. Throws as broadcast()
  /// does, and Error where there is no summation.
  CohortMean sum(const Cohort& cohort, const Request& request, const SumSpec& spec);

  /// While it lives, exchanges are for a figure that training does without: their bytes are counted apart.
  class Measurement {
   public:
    explicit Measurement(Round& round) : round_(round) { round_.measuring_ = true; }
    ~Measurement() { round_.measuring_ = false; }
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

   private:
    Round& round_;
  };

  /// Adds to failures() a client that answered what can't be used.
  void note_failure(Failure failure) { failures_.push_back(std::move(failure)); }

  /// A stream of the server's own for this round.
  Random random(std::string_view purpose) const;

  const std::vector<Failure>& failures() const { return failures_; }  ///< and who missed a deadline
  const std::set<int>& asked() const { return asked_; }               ///< who has been sent anything
  const std::set<int>& answered() const { return answered_; }         ///< who has answered anything
  std::size_t late() const { return late_; }                          ///< replies that came after a deadline or after enough others
  std::optional<double> simulated_seconds() const { return simulated_seconds_; }  ///< of all exchanges, where the clock is simulated
  const std::map<std::string, double>& seconds() const { return seconds_; }       ///< wall time by verb
  std::uint64_t bytes_up() const { return bytes_up_; }                            ///< of all exchanges but those of measurements
  std::uint64_t bytes_down() const { return bytes_down_; }
  std::uint64_t measurement_bytes() const { return measurement_bytes_; }  ///< of measurements, both ways

 private:
  Replies send(std::vector<Envelope> envelopes, std::size_t sampled, const OnReply& on_reply = {});
  /// Sorts the replies of an exchange into answers, which it returns, and failures.
  std::vector<Reply> answers(std::span<const Envelope> envelopes, std::vector<Reply> replies);

  Runtime& runtime_;
  RoundOptions options_;
  std::uint32_t number_;
  const ClientBackoff* backoff_ = nullptr;  ///< null: nobody sits out
  bool summing_ = false;
  bool measuring_ = false;
  std::vector<CohortDraw> draws_;
  std::vector<Failure> failures_;
  std::set<int> asked_;
  std::set<int> answered_;
  std::size_t late_ = 0;
  std::optional<double> simulated_seconds_;
  std::map<std::string, double> seconds_;
  std::uint64_t bytes_up_ = 0;
  std::uint64_t bytes_down_ = 0;
  std::uint64_t measurement_bytes_ = 0;
};

}  // namespace paretofl
