#include "paretofl/runtimes/intra_op_threads.h"

#include <dlfcn.h>
#include <omp.h>

#include <cstdlib>

namespace paretofl {

void limit_intra_op_threads() {
  omp_set_num_threads(1);
  // OpenBLAS ignores OpenMP's setting. It comes with LibTorch, and reads its variable when it is loaded.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  using SetThreads = void (*)(int);
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<SetThreads>(set_threads)(1);
}

}  // namespace paretofl
