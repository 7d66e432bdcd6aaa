#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/runtime.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// Runs as an MPI job of R >= 2 ranks, all of which make this runtime: rank 0 leads, and client c lives on
/// rank 1 + c mod (R - 1), where its state stays. Throws Error with one rank, and where the build has no MPI.
std::unique_ptr<Runtime> make_mpi_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory);

}  // namespace paretofl
