#include "paretofl/serve/serve.h"

#include <thread>

#include "paretofl/runs/interrupt.h"

namespace paretofl {

int serve(const LiveServerOptions& options, const std::function<void(const std::string& address)>& on_ready) {
  const InterruptGuard guard;
  const LiveServer server(options);
  on_ready(server.address());
  while (InterruptGuard::signal_received() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return InterruptGuard::signal_received();
}

}  // namespace paretofl
