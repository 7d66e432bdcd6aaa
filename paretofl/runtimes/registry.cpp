#include "paretofl/runtimes/registry.h"

#include "paretofl/runtimes/flower.h"
#include "paretofl/runtimes/mpi.h"
#include "paretofl/runtimes/sockets.h"
#include "paretofl/runtimes/threads.h"

namespace paretofl {

Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)>& runtimes() {
  static Registry<std::unique_ptr<Runtime>(const RuntimeOptions&, ThreadPool&, ClientFactory)> registry(
      "runtime",
      {
          {{"threads", "one process, clients in parallel on its threads", "", described<RuntimeOptions>()}, make_threads_runtime},
          {{"mpi", "rank 0 leads, the other ranks of an MPI job host the clients", "", described<RuntimeOptions>()}, make_mpi_runtime},
          {{"sockets", "clients are processes on this machine (paretofl host), each behind a Unix socket", "", described<RuntimeOptions>()},
           make_sockets_runtime},
          {{"flower", "clients are processes (paretofl host) on machines that Flower reaches", "", described<RuntimeOptions>()},
           make_flower_runtime},
      });
  return registry;
}

}  // namespace paretofl
