#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Hosts all clients in this process and computes them in parallel on the pool's threads. A client at work can't be stopped: when an
/// exchange ends early, those that have not begun do not begin, and those that have are waited for, and their replies are dropped.
class ThreadsRuntime : public Runtime {
 public:
  ThreadsRuntime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory);
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override;

 private:
  bool through_wire_;
  ThreadPool& pool_;
  ClientHost host_;
};

std::unique_ptr<Runtime> make_threads_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory);

}  // namespace paretofl
