#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Hosts all clients in this process and computes them in parallel on the pool's threads.
class ThreadsRuntime : public Runtime {
 public:
  ThreadsRuntime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory);
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply) override;

 private:
  bool through_wire_;
  ThreadPool& pool_;
  ClientHost host_;
};

std::unique_ptr<Runtime> make_threads_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory);

}  // namespace paretofl
