#pragma once

#include "paretofl/personalized/personalized.h"

namespace paretofl {

struct NoCommunicationOptions {
  LocalTrainingOptions local;

  void describe(OptionVisitor& visit) { local.describe(visit); }
};

/// Every client trains alone under its private preference: the baseline of FedPref, Section 4.2.1.
Strategy make_no_communication(const NoCommunicationOptions& options, const Workload& workload);

}  // namespace paretofl
