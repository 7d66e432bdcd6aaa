#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "paretofl/core/cohort.h"
#include "paretofl/core/request.h"

namespace paretofl {

class Round;

/// What a server needs losses for.
struct LossUse {
  bool needed = true;  ///< false: only for the run's record, so that a summation with noise leaves them out
  double smallest = -std::numeric_limits<double>::infinity();  ///< noise doesn't make a mean loss smaller than this

  bool operator==(const LossUse&) const = default;
};

/// Which numbers of the clients' replies a strategy wants the mean of. What else a reply holds stays at the client.
struct SumSpec {
  bool by_samples = false;                          ///< clients count by their numbers of samples, otherwise all the same
  std::size_t update = 0;                           ///< numbers in Reply::update
  std::size_t losses = 0;                           ///< in Reply::losses
  std::map<std::string, std::size_t> figures = {};  ///< in arrays of Reply::extra, float32 or float64
  std::size_t parts = 1;                            ///< vectors in the update and in each figure, one after another: one per objective
  LossUse loss_use = {};
  bool figures_for_record = false;  ///< only the run's record needs the figures: a summation with noise leaves them out

  std::size_t size() const;  ///< how many these are together
  bool operator==(const SumSpec&) const = default;
};

/// The mean over the clients whose replies are in it, or what another aggregator makes of them.
struct CohortMean {
  Cohort cohort;
  double weight = 0;  ///< what the sum was divided by: what the clients count together
  std::vector<float> update;
  std::vector<double> losses;  ///< empty if left out, and so are figures
  std::map<std::string, std::vector<double>> figures;
  double update_noise = 0;  ///< standard deviation of the noise on each number of the update
  double figure_noise = 0;  ///< likewise of the figures
};

/// How a server gets the mean of its clients' replies without seeing a single one.
class Summation {
 public:
  virtual ~Summation() = default;
  /// As Round::sum says. The exchanges are its own.
  virtual CohortMean sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) = 0;
};

}  // namespace paretofl
