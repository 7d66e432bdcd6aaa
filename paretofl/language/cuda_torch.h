#pragma once

#include <string>

namespace paretofl {

/// Loads the part of LibTorch that computes on NVIDIA's GPUs, where LibTorch is not linked with it, and asks for algorithms with the same
/// results every time. Throws Error naming `device`, the `index`-th one, unless this machine has it, and where LibTorch has computed
/// gradients without it before. Thread-safe.
void expect_cuda_device(const std::string& device, int index);

}  // namespace paretofl
