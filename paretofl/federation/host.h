#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/registry/settings.h"

namespace paretofl {

/// What `paretofl host` is asked to do.
struct HostRequest {
  std::filesystem::path config;           ///< the run's, as the server has it
  std::vector<std::string> overrides;     ///< --set key=value, in order
  std::optional<Settings> settings = {};  ///< in the place of a config file
  int client = 0;
  std::filesystem::path data;    ///< the client's part; empty where the workload has that client's data alone without one
  std::filesystem::path socket;  ///< where requests come in
  std::filesystem::path state;   ///< folder of what must outlive the process
  std::function<void()> on_ready = {};
};

/// The process of a party: loads one client's data and model, and answers the server's requests until a signal comes, which it
/// returns. Throws Error on bad input, and where another process works in the state's folder or listens on the socket.
int host(const HostRequest& request);

}  // namespace paretofl
