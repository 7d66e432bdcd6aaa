#include "paretofl/runtimes/intra_op_threads.h"

#include <dlfcn.h>
#include <omp.h>

namespace paretofl {

void limit_intra_op_threads() {
  omp_set_num_threads(1);
  // OpenBLAS comes in with LibTorch, or not at all; it ignores OpenMP's setting.
  using SetThreads = void (*)(int);
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<SetThreads>(set_threads)(1);
}

}  // namespace paretofl
