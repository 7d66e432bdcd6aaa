#pragma once

namespace paretofl {

/// Makes LibTorch compute with one thread on the calling thread, from which every call that gives tensors to compute starts:
/// a free number of threads changes the order of additions. Thread-safe; cheap after the first call.
void pin_torch_thread();

}  // namespace paretofl
