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
  int parties = 1;     ///< SuperNodes, over which the clients are dealt in turn
  bool flower = true;  ///< otherwise the server is in this process and reaches the clients' sockets itself
};

/// Runs a whole federation on this machine: one process per client (paretofl host), each with its own part of the data and its state below
/// DIR/federation, and the server, which has the held-out data alone. Over Flower, the messages pass a SuperLink and the parties'
/// SuperNodes, with TLS and node authentication on the loopback interface; paretofl.flower in Python must be there. The result is that of
/// run() on the same config, bit for bit.
RunOutcome federate(const FederateRequest& request);

}  // namespace paretofl
