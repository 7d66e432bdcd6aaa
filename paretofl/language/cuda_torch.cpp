#include "paretofl/language/cuda_torch.h"

#include <ATen/ATen.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <torch/csrc/api/include/torch/version.h>

#include <cstdlib>
#include <filesystem>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// What went wrong, or nothing. The library is that beside libtorch_cpu.so.
std::string load_cuda() {
  // cuBLAS has the same results every time with a workspace of this size, which LibTorch looks for in the environment.
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  at::globalContext().setDeterministicAlgorithms(true, true);
#if TORCH_VERSION_MAJOR >= 2
  at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
  if (c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) return {};
  ::Dl_info torch{};
  const bool found = ::dladdr(reinterpret_cast<const void*>(&at::globalContext), &torch) != 0 && torch.dli_fname != nullptr;
  expect(found, "expected the path of LibTorch from the dynamic linker, found none");
  const std::string path = std::filesystem::path(torch.dli_fname).parent_path() / "libtorch_cuda.so";
  return ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr ? ::dlerror() : "";
}

}  // namespace

void expect_cuda_device(const std::string& device, int index) {
  static const std::string kMissing = load_cuda();
  expect(kMissing.empty(), "model: expected a LibTorch that computes on the device {}, found none: {}", device, kMissing);
  const auto* cuda = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA);
  const int count = cuda->deviceCount();
  expect(index < count, "model: expected the device {}, found {} such devices in this machine", device, count);
  // LibTorch asks once whether it has CUDA, at the latest when it first computes a gradient.
  expect(at::hasCUDA(), "model: expected no gradient of a model on the CPU in this process before the first model on {}, found one",
         device);
}

}  // namespace paretofl
