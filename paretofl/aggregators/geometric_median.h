#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

struct GeometricMedianOptions {
  double smoothing = 1e-6;
  double tolerance = 1e-6;
  std::int64_t iterations = 100;

  void describe(OptionVisitor& visit) {
    visit.real("smoothing", smoothing, 1e-12, kInfinity, "distance below which a client's weight grows no further (nu), in L2 norm");
    visit.real("tolerance", tolerance, 0, 1, "relative decrease of the sum of distances at which the iteration ends");
    visit.integer("iterations", iterations, 1, kMaxInt, "most iterations");
  }
};

/// The point with the smallest sum of Euclidean distances to the clients' vectors, by the smoothed Weiszfeld algorithm of Pillutla, Kakade
/// and Harchaoui (2022), "Robust Aggregation for Federated Learning" (RFA), Algorithm 2, from the coordinate-wise median on. With a share
/// a < 1/2 of bad clients it is at most 2 (1 - a) / (1 - 2 a) times as far from any point as the good clients' vectors are at most. Shares
/// are not heeded: all clients count alike.
class GeometricMedian : public Aggregator {
 public:
  explicit GeometricMedian(GeometricMedianOptions options) : options_(options) {}
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;

 private:
  GeometricMedianOptions options_;
};

}  // namespace paretofl
