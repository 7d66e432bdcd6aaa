#pragma once

#include <functional>

#include "paretofl/serve/live_server.h"

namespace paretofl {

/// Serves until SIGINT, SIGTERM or SIGHUP and returns the signal. `on_ready` is told the page's address. Throws Error as LiveServer does.
int serve(const LiveServerOptions& options, const std::function<void(const std::string& address)>& on_ready);

}  // namespace paretofl
