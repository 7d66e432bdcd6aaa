#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Clients that are processes on this machine, each behind a Unix socket (federation/party_socket.h) whose path is options.sockets with
/// the client's number in the place of {client}; without that place one process answers for all clients. A process that is gone is tried
/// again for a while: whoever starts it again in time loses nothing. Throws Error where options.sockets is empty.
std::unique_ptr<Runtime> make_sockets_runtime(const RuntimeOptions& options, ThreadPool& pool, const ClientFactory& factory);

}  // namespace paretofl
