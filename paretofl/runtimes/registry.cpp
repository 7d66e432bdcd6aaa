#include "paretofl/runtimes/registry.h"

#include "paretofl/runtimes/threads.h"

namespace paretofl {

const Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)>& runtimes() {
  static const Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)> registry(
      "runtime",
      {
          {{"threads", "one process, clients in parallel on its threads", "", described<RuntimeOptions>()}, make_threads_runtime},
      });
  return registry;
}

}  // namespace paretofl
