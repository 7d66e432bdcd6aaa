#include "paretofl/language/checkpoint_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/language/cuda_torch.h"
#include "paretofl/model_files/safetensors_folder.h"
#include "paretofl/model_files/safetensors_header.h"
#include "paretofl/model_files/stored_tensor.h"

namespace paretofl {
namespace {

at::ScalarType scalar_type(TensorType type, const std::string& name) {
  switch (type) {
    case TensorType::kFloat32:
      return at::kFloat;
    case TensorType::kFloat16:
      return at::kHalf;
    case TensorType::kBfloat16:
      return at::kBFloat16;
    case TensorType::kFloat64:
      return at::kDouble;
    default:
      throw Error(fmt::format("{}: expected a tensor of F32, F16, BF16 or F64, found {}", name, stored_name(type)));
  }
}

}  // namespace

TensorPlacement::TensorPlacement(const ModelPlacement& placement) : dtype_(placement.dtype) {
  const std::string& device = placement.device;
  expect(dtype_ == "float32" || dtype_ == "bfloat16" || dtype_ == "float64",
         "model: expected a dtype of float32, bfloat16 or float64, found '{}'", dtype_);
  if (device == "cpu") return;
  cuda_ = true;
  if (device != "cuda") {
    const bool numbered = device.starts_with("cuda:");
    const char* end = device.data() + device.size();
    const auto parsed = numbered ? std::from_chars(device.data() + 5, end, index_) : std::from_chars_result{device.data(), std::errc()};
    expect(numbered && parsed.ptr == end && parsed.ec == std::errc() && index_ >= 0,
           "model: expected a device of cpu, cuda or cuda:N, found '{}'", device);
  }
  expect_cuda_device(device, index_);
}

at::Tensor TensorPlacement::place(const at::Tensor& tensor) const {
  const at::Device device = cuda_ ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index_)) : at::Device(at::kCPU);
  if (dtype_ == "float64") return tensor.to(device, at::kDouble);
  if (dtype_ == "float32") return tensor.to(device, at::kFloat);
  const at::Tensor rounded = tensor.to(at::kBFloat16);
  return cuda_ ? rounded.to(device) : rounded.to(at::kFloat);
}

TensorLookup stored_tensors(const std::filesystem::path& folder, std::int64_t layers, const ModelPlacement& placement) {
  const auto files = std::make_shared<const SafetensorsFolder>(folder);
  expect_layers(*files, layers, folder.string());
  return [files, folder, place = TensorPlacement(placement)](const std::string& name, const std::vector<std::int64_t>& shape) {
    const StoredTensor& stored = stored_tensor(*files, name);
    expect(stored.shape == shape, "{}: {}: expected the shape [{}], found [{}]", folder.string(), name, fmt::join(shape, ", "),
           fmt::join(stored.shape, ", "));
    const at::ScalarType type = scalar_type(stored.type, folder.string() + ": " + name);
    // LibTorch has no read-only tensors; models do not write to theirs.
    auto* const bytes = const_cast<std::byte*>(stored.bytes.data());
    at::Tensor tensor = at::from_blob(
        bytes, shape, [files](void*) {}, type);
    if (reinterpret_cast<std::uintptr_t>(bytes) % at::elementSize(type) != 0) tensor = tensor.clone();
    return place.place(tensor);
  };
}

TensorLookup random_tensors(const LanguageModelConfig& config, const Random& random, const ModelPlacement& placement) {
  return [standard_deviation = config.initializer_range, norm = 1 - config.norm_offset, random, place = TensorPlacement(placement)](
             const std::string& name, const std::vector<std::int64_t>& shape) {
    if (shape.size() == 1) return place.place(at::full(shape, name.ends_with(".bias") ? 0.0 : norm, at::kFloat));
    Random stream = random.substream(name);
    const at::Tensor tensor = at::empty(shape, at::kFloat);
    auto* values = tensor.data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(standard_deviation * stream.normal());
    return place.place(tensor);
  };
}

}  // namespace paretofl
