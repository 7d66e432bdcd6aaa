#pragma once

#include "paretofl/privacy/releases.h"

namespace paretofl {

/// The mean over the cohort of replies that the server sees: it clips them itself, and adds the noise to their sum. Whoever sees what the
/// server does with the means, such as the models, learns no more than they say.
class PlainSummation : public Summation {
 public:
  explicit PlainSummation(Releases& releases) : releases_(releases) {}

  CohortMean sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) override;

 private:
  Releases& releases_;
};

}  // namespace paretofl
