#pragma once

#include <cstdint>

namespace paretofl {

/// How the cohort of a round is drawn from the clients, or a minibatch from examples. It also decides which data sets count as neighbours.
struct CohortSampling {
  enum class Kind {
    kPoisson,    ///< each client takes part with the same probability, on its own; neighbours differ by one client more or less
    kFixedSize,  ///< a cohort of fixed size, uniformly without replacement; neighbours differ in the data of one client ("replace one")
  };

  Kind kind = Kind::kPoisson;
  double rate = 1;  ///< in (0, 1]: the probability of taking part

  /// Throws Error unless 0 < rate <= 1.
  static CohortSampling poisson(double rate);
  /// Throws Error unless 1 <= cohort <= clients.
  static CohortSampling fixed_size(std::int64_t cohort, std::int64_t clients);
};

}  // namespace paretofl
