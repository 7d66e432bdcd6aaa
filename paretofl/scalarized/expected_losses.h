#pragma once

#include <span>
#include <vector>

#include "paretofl/core/cohort.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// What FedMDFG's server expects of each client's loss, from the rounds that it was in (Pan et al. 2023, the authors' code): the first
/// loss, and from then on e <- (c e + f) / (c + 1) with each loss f <= e, where c is the number of rounds before. Larger losses change c
/// alone.
class ExpectedLosses {
 public:
  explicit ExpectedLosses(int clients) : expected_(static_cast<std::size_t>(clients)), rounds_(static_cast<std::size_t>(clients)) {}

  /// Whether of these losses [n], one for each client of the cohort, some are larger than expected, but not all.
  bool some_rose(const Cohort& cohort, std::span<const double> losses) const;
  void add(const Cohort& cohort, std::span<const double> losses);

  void save(Record& state) const;
  void load(const Record& state);

 private:
  std::vector<double> expected_;  ///< e, by client
  std::vector<double> rounds_;    ///< c, whole numbers
};

}  // namespace paretofl
