#pragma once

namespace paretofl {

/// Makes LibTorch keep the memory of large tensors for the next tensor of about that size, from the first
/// call on. Otherwise each goes back to the kernel and the next one is mapped and zeroed again page by page,
/// which takes a third of a training step's time. The process holds on to as much as tensors ever needed at
/// once, by size. Thread-safe.
void keep_tensor_buffers();

}  // namespace paretofl
