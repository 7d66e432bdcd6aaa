#include "paretofl/language/stored_weights_torch.h"

#include <ATen/ATen.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/text/safetensors_folder.h"
#include "paretofl/text/safetensors_header.h"

namespace paretofl {
namespace {

at::ScalarType scalar_type(TensorType type, const std::string& name) {
  switch (type) {
    case TensorType::kFloat64:
      return at::kDouble;
    case TensorType::kFloat32:
      return at::kFloat;
    case TensorType::kFloat16:
      return at::kHalf;
    case TensorType::kBfloat16:
      return at::kBFloat16;
    default:
      throw Error(fmt::format("{}: expected floating-point numbers, found {}", name, stored_name(type)));
  }
}

}  // namespace

at::TensorOptions tensor_options(const ModelPlacement& placement) {
  const std::string& dtype = placement.dtype;
  expect(dtype == "float32" || dtype == "bfloat16" || dtype == "float64",
         "model: expected dtype to be float32, bfloat16 or float64, found '{}'", dtype);
  const at::TensorOptions options = at::dtype(dtype == "float32" ? at::kFloat : dtype == "float64" ? at::kDouble : at::kBFloat16);
  if (placement.device == "cpu") return options;
  try {
    const at::Device device(placement.device);
    at::empty({1}, options.device(device));
    return options.device(device);
  } catch (const c10::Error& error) {
    throw Error(fmt::format("model: expected device cpu or one that this LibTorch has, such as cuda:0, found '{}'", placement.device));
  }
}

TensorLookup stored_weights(const std::filesystem::path& folder, const ModelPlacement& placement) {
  const at::TensorOptions options = tensor_options(placement);
  const auto files = std::make_shared<const SafetensorsFolder>(folder);
  return [files, options, folder](const std::string& name, const std::vector<std::int64_t>& shape) {
    constexpr std::string_view kPrefix = "transformer.";
    const bool bare = !files->contains(name) && name.starts_with(kPrefix) && files->contains(name.substr(kPrefix.size()));
    const StoredTensor& stored = files->tensor(bare ? name.substr(kPrefix.size()) : name);
    const std::string what = folder.string() + ": tensor " + name;
    expect(stored.shape == shape, "{}: expected the shape [{}], found [{}]", what, fmt::join(shape, ", "), fmt::join(stored.shape, ", "));
    const at::ScalarType type = scalar_type(stored.type, what);
    // A file may lay its data out without regard to alignment.
    const bool aligned = reinterpret_cast<std::uintptr_t>(stored.bytes.data()) % element_bytes(stored.type) == 0;
    if (!aligned) {
      const at::Tensor bytes =
          at::from_blob(const_cast<std::byte*>(stored.bytes.data()), {static_cast<std::int64_t>(stored.bytes.size())}, at::kByte);
      return bytes.clone().view(type).view(shape).to(options);
    }
    // LibTorch has no read-only tensors.
    const auto keep = [files](void*) {};
    return at::from_blob(const_cast<std::byte*>(stored.bytes.data()), shape, keep, at::dtype(type)).to(options);
  };
}

}  // namespace paretofl
