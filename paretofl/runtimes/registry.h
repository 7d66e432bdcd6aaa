#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/registry/registry.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Every runtime. The pool must outlive the runtime and do nothing else during an exchange.
Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)>& runtimes();

}  // namespace paretofl
