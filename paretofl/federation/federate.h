#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paretofl/runs/run.h"

namespace paretofl {

/// What `paretofl federate` is asked to do.
struct FederateRequest {
  std::filesystem::path config;
  std::filesystem::path directory;     ///< run directory
  std::vector<std::string> overrides;  ///< --set key=value, in order
  bool overwrite = false;
  bool resume = false;
};

/// Runs a whole federation on this machine: one process per client (paretofl host), each with its own data and state below
/// DIR/federation, and the server in this process. The result is that of run() on the same config, bit for bit.
RunOutcome federate(const FederateRequest& request);

}  // namespace paretofl
