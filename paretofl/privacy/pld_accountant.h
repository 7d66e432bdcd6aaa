#pragma once

#include <map>

#include "paretofl/privacy/privacy_accountant.h"
#include "paretofl/privacy/privacy_loss.h"
#include "paretofl/privacy/rdp_accountant.h"

namespace paretofl {

/// Composes the privacy loss distributions of the steps by FFT, in both directions of adding and removing one client (Koskela, Jälkö and
/// Honkela 2020), and takes the larger epsilon. Losses are discretized pessimistically in intervals of 1e-4; where the composed losses
/// spread over more than 2^22 of those, in as many wider ones. What the composed distribution has beyond its grid, at most 1e-15, counts as
/// an infinite loss. Steps without sampling are added up exactly. epsilon() is never above what
/// RdpAccountant shows of the same steps. Only Poisson sampling: losses under sampling of a fixed size are not
/// known to be dominated by one pair of distributions that composes.
class PldAccountant : public PrivacyAccountant {
 public:
  void add(double noise_multiplier, const CohortSampling& sampling, std::int64_t count = 1) override;
  double epsilon(double delta) const override;

 private:
  PrivacyLoss composed(Neighbour from) const;

  std::map<SampledGaussian, std::int64_t> counts_;  ///< of the steps with a rate below 1
  RdpAccountant moments_;                           ///< of all steps
  double precision_ = 0;                            ///< sum of 1 / noise^2 of the steps without sampling
};

}  // namespace paretofl
