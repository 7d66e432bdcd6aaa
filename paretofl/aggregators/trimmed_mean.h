#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

struct TrimmedMeanOptions {
  double trim = 0.2;

  void describe(OptionVisitor& visit) {
    visit.real("trim", trim, 0, 0.499999, "share of the clients whose numbers are dropped at each end, of each coordinate on its own");
  }
};

/// Coordinate-wise trimmed mean (Yin et al. 2018, "Byzantine-Robust Distributed Learning: Towards Optimal Statistical Rates", Definition
/// 2): of each coordinate, floor(trim n) largest and as many smallest numbers are dropped, and the rest is averaged. With at most
/// floor(trim n) bad clients, each coordinate stays within the range of the good ones' numbers. Shares are not heeded: all clients count
/// alike.
class TrimmedMean : public Aggregator {
 public:
  explicit TrimmedMean(TrimmedMeanOptions options) : options_(options) {}
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;

 private:
  TrimmedMeanOptions options_;
};

/// The mean of the numbers `low` .. n - 1 - low in order of size, of each coordinate of the vectors [n], each [d].
std::vector<float> middle_mean(Vectors vectors, std::size_t low);

}  // namespace paretofl
