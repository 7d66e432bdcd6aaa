#include "paretofl/runtimes/registry.h"

#include "paretofl/runtimes/mpi.h"
#include "paretofl/runtimes/threads.h"

namespace paretofl {

const Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)>& runtimes() {
  static const Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)> kRegistry(
      "runtime",
      {
          {{"threads", "one process, clients in parallel on its threads", "", described<RuntimeOptions>()}, make_threads_runtime},
          {{"mpi", "rank 0 leads, the other ranks of an MPI job host the clients", "", described<RuntimeOptions>()}, make_mpi_runtime},
      });
  return kRegistry;
}

}  // namespace paretofl
