#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

struct NormClippingOptions {
  double bound = 0;

  void describe(OptionVisitor& visit) {
    visit.real("bound", bound, 0, kInfinity,
               "largest L2 norm of a client's vector; longer ones are scaled down to it; 0: the median of norms");
  }
};

/// The weighted mean of vectors that are scaled down to a largest norm (Sun, Kairouz, Suresh and McMahan 2019, "Can You Really Backdoor
/// Federated Learning?"). Bad clients with a share a of the weights move it by at most 2 a times the bound. The median of norms is that of
/// the round's vectors, of an even number the lower one, so that fewer than half of the clients cannot raise it above the good ones' norms.
class NormClipping : public Aggregator {
 public:
  explicit NormClipping(NormClippingOptions options) : options_(options) {}
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;

 private:
  NormClippingOptions options_;
};

}  // namespace paretofl
