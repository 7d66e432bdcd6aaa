#pragma once

#include <map>
#include <set>
#include <string>

#include "paretofl/core/metrics.h"

namespace paretofl {

/// Why an answer cannot be used.
enum class Fault {
  kNotFinite,    ///< an update or a loss is a NaN or infinity
  kWrongSize,    ///< not as many numbers as asked for
  kSampleCount,  ///< no sample count (sample_count.h) where it counts, or above strategy.max_samples
  kMalformed,    ///< what the message holds beside cannot be read
};

/// The clients whose answers a round leaves out.
class Exclusions {
 public:
  void add(int client, Fault fault) { clients_[fault].insert(client); }
  void add(const Exclusions& others) {
    for (const auto& [fault, clients] : others.clients_) clients_[fault].insert(clients.begin(), clients.end());
  }
  bool empty() const { return clients_.empty(); }

  /// Names them in the round's metrics: "excluded_not_finite", "excluded_wrong_size", "excluded_sample_count" and "excluded_malformed" are
  /// lists of client ids, each left out where it would be empty.
  void record(Metrics& metrics) const;

 private:
  std::map<Fault, std::set<int>> clients_;
};

}  // namespace paretofl
