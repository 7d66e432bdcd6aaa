#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/report/comparison.h"

namespace paretofl {

/// One quantity of a group over its rounds: a series per objective (or per entry of a vector), each the
/// mean, lowest and highest over the runs. NaN if a run has no number.
struct Curve {
  std::vector<std::string> series;        ///< the objectives, then "mean" over them if they share a unit; or "" for a plain number
  std::vector<int> rounds;                ///< those that every run of the group has, thinned (see below)
  std::vector<double> bytes_up;           ///< uploaded until then, mean over the runs
  std::vector<std::vector<double>> mean;  ///< [series][round]; likewise:
  std::vector<std::vector<double>> low;
  std::vector<std::vector<double>> high;
};

/// A curve keeps at most so many points per series, fewer where it has more than 20 series.
inline constexpr std::size_t kMaxCurvePoints = 400;
inline constexpr std::size_t kMaxCurveNumbers = 20 * kMaxCurvePoints;
/// Vectors of a strategy's own figures with more entries than this, and than objectives, have no curve: nobody
/// reads the entries of a Gramian of 40 objectives one by one.
inline constexpr std::size_t kMaxCurveSeries = 16;

/// Every quantity the group's rows have, by name: "<split>/<metric>", "lambda", "metrics/<name>".
std::map<std::string, Curve> curves(const RunGroup& group, const std::vector<std::string>& objectives);

}  // namespace paretofl
