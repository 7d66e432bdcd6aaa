#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/privacy/cohort_sampling.h"

namespace paretofl {

/// What a run has released so far, and what that discloses of one client.
class PrivacyLedger {
 public:
  /// `start` says how many times the run has been started, where a start repeats rounds over the same cohorts with other noise than the one
  /// before: the first round counts that many times, or after load() once more than there have been starts since what was loaded, as
  /// releases over one cohort, which sampling does not tell apart. Throws Error on an
  /// accountant that there is none of, and a delta that accountants don't take.
  PrivacyLedger(std::string accountant, double delta, std::uint64_t start = 1);

  /// Counts a release over the cohort of this draw of the round; several over one draw are one step of the accountant.
  void add(std::uint32_t round, std::size_t draw, double noise_multiplier, const CohortSampling& sampling);

  double epsilon() const;
  /// After one such release more.
  double epsilon_with(std::uint32_t round, std::size_t draw, double noise_multiplier, const CohortSampling& sampling) const;
  /// After a round more that releases what the last one did; epsilon() if there has been none.
  double epsilon_after_next_round() const;
  Record save() const;
  /// Throws Error on a record that is none of a ledger, or that of a later start.
  void load(const Record& state);

 private:
  struct Step {
    double noise_multiplier;
    CohortSampling sampling;
    std::int64_t count;
  };

  /// A round that was repeated over one cohort, `count` times, as one step.
  static Step as_one(const Step& step);
  void count(const Step& step);

  std::string accountant_;
  double delta_;
  std::vector<Step> steps_;  ///< of the rounds before the last, equal ones counted
  std::vector<Step> last_;   ///< of the last round, by draw; their count is how often it was repeated
  std::uint32_t round_ = 0;  ///< the last round
  std::uint64_t start_;
  std::int64_t times_ = 1;   ///< how often the last round counts
  std::int64_t next_times_;  ///< likewise the next
};

}  // namespace paretofl
