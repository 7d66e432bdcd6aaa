#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

/// What a model reaches on data that clients hold out themselves, as sums, so that the figures of several clients add up to those of all
/// their data together.
struct HeldOutFigures {
  /// Of one metric, such as "loss" or "accuracy", by objective [M].
  struct Sums {
    std::vector<double> values;   ///< of the figure over the samples
    std::vector<double> samples;  ///< how many there are; 0 where an objective has no such figure

    bool operator==(const Sums&) const = default;
  };
  std::map<std::string, Sums> metrics;

  bool empty() const { return metrics.empty(); }
  bool operator==(const HeldOutFigures&) const = default;

  /// Adds `figure`, which is the mean over `samples` samples, as a metric of all objectives.
  void add_means(const std::string& metric, const std::vector<double>& figure, double samples);
  /// Throws Error unless both have the same number of objectives.
  HeldOutFigures& operator+=(const HeldOutFigures& other);
  /// The means [M] by metric; NaN where an objective has no sample.
  std::map<std::string, std::vector<double>> means() const;

  Record save() const;
  /// Throws Error on another number of objectives than `objectives`, and numbers of samples that are negative or not finite. Values may be
  /// what a model that has diverged gives.
  static HeldOutFigures load(const Record& record, std::size_t objectives);
};

}  // namespace paretofl
