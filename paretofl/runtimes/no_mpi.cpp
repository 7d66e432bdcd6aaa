#include "paretofl/core/error.h"
#include "paretofl/runtimes/mpi.h"

namespace paretofl {

std::unique_ptr<Runtime> make_mpi_runtime(const RuntimeOptions&, ThreadPool&, ClientFactory) {
  throw Error("runtime mpi: expected a build with MPI, found one without");
}

}  // namespace paretofl
