#pragma once

#include <functional>
#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/runtimes/party_exchange.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Carries one exchange to parties: asks it for the bytes of every request, and tells it what came back.
using Carrier = std::function<void(PartyExchange&)>;

/// The process's carrier, which Python code sets where it is the server of a Flower app (python/paretofl/flower); empty elsewhere. What is
/// set must stay until the runtime is gone.
void set_carrier(Carrier carrier);

/// Clients that are processes of their parties, reached by Flower. Throws Error in a process that is no Flower server.
std::unique_ptr<Runtime> make_flower_runtime(const RuntimeOptions& options, ThreadPool& pool, const ClientFactory& factory);

}  // namespace paretofl
