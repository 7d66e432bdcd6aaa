#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paretofl/core/lateness.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// What one client answers. A client that fails or is late is an error value, not an exception.
struct Reply {
  int client = 0;
  double num_samples = 0;      ///< number of samples that the answer is based on
  std::vector<float> update;   ///< [d], or what the verb says; empty if it sends none
  std::vector<double> losses;  ///< [M] mean training losses, or empty
  Record extra;
  std::optional<std::string> error;  ///< why there is no answer
  /// Set by the runtime, and no part of the message. A late reply holds an error in place of what the client may have answered.
  Lateness lateness = Lateness::kInTime;

  bool operator==(const Reply&) const = default;

  /// What stands for a reply that did not come in time.
  static Reply late(int client, Lateness lateness);
};

}  // namespace paretofl
