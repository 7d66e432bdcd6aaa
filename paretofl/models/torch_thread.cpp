#include "paretofl/models/torch_thread.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <mutex>

#include "paretofl/models/torch_buffers.h"

namespace paretofl {

void pin_torch_thread() {
  static std::mutex mutex;
  thread_local bool pinned = false;
  if (pinned) return;
  const std::scoped_lock lock(mutex);
  // OpenBLAS has threads of its own that at::set_num_threads does not reach.
  using SetThreads = void (*)(int);
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<SetThreads>(set_threads)(1);
  at::set_num_threads(1);
  keep_tensor_buffers();
  pinned = true;
}

}  // namespace paretofl
