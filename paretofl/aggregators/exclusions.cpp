#include "paretofl/aggregators/exclusions.h"

#include <vector>

namespace paretofl {

void Exclusions::record(Metrics& metrics) const {
  static const std::map<Fault, const char*> kNames{{Fault::kNotFinite, "excluded_not_finite"},
                                                   {Fault::kWrongSize, "excluded_wrong_size"},
                                                   {Fault::kSampleCount, "excluded_sample_count"},
                                                   {Fault::kMalformed, "excluded_malformed"}};
  for (const auto& [fault, clients] : clients_) metrics.set(kNames.at(fault), std::vector<double>(clients.begin(), clients.end()));
}

}  // namespace paretofl
