#include "paretofl/model_files/stored_numbers.h"

#include <Eigen/Core>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors_header.h"

namespace paretofl {
namespace {

// Bytes of a file may begin anywhere.
template <class From, class To>
void convert(std::span<const std::byte> bytes, std::vector<To>& numbers) {
  numbers.reserve(bytes.size() / sizeof(From));
  for (std::size_t i = 0; i + sizeof(From) <= bytes.size(); i += sizeof(From)) {
    From number;
    std::memcpy(&number, bytes.data() + i, sizeof number);
    numbers.push_back(static_cast<To>(number));
  }
}

template <class To>
std::vector<To> numbers_of(const StoredTensor& tensor, std::string_view name) {
  std::vector<To> numbers;
  switch (tensor.type) {
    case TensorType::kFloat32:
      convert<float>(tensor.bytes, numbers);
      break;
    case TensorType::kFloat64:
      convert<double>(tensor.bytes, numbers);
      break;
    case TensorType::kFloat16:
      convert<Eigen::half>(tensor.bytes, numbers);
      break;
    case TensorType::kBfloat16:
      convert<Eigen::bfloat16>(tensor.bytes, numbers);
      break;
    default:
      throw Error(fmt::format("{}: expected a tensor of F32, F16, BF16 or F64, found {}", name, stored_name(tensor.type)));
  }
  return numbers;
}

template <class To>
std::vector<std::byte> bytes_of(const StoredTensor& tensor, std::string_view name) {
  const std::vector<double> numbers = numbers_of<double>(tensor, name);
  std::vector<std::byte> bytes(numbers.size() * sizeof(To));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const To number(static_cast<To>(static_cast<float>(numbers[i])));
    std::memcpy(bytes.data() + i * sizeof(To), &number, sizeof number);
  }
  return bytes;
}

}  // namespace

TensorType floating_type(std::string_view name) {
  if (name == "float32") return TensorType::kFloat32;
  if (name == "float16") return TensorType::kFloat16;
  if (name == "bfloat16") return TensorType::kBfloat16;
  expect(name == "float64", "number format: expected float32, float16, bfloat16 or float64, found '{}'", name);
  return TensorType::kFloat64;
}

std::vector<float> to_float32(const StoredTensor& tensor, std::string_view name) { return numbers_of<float>(tensor, name); }

std::vector<std::byte> stored_as(const StoredTensor& tensor, TensorType type, std::string_view name) {
  switch (type) {
    case TensorType::kFloat32:
      return bytes_of<float>(tensor, name);
    case TensorType::kFloat16:
      return bytes_of<Eigen::half>(tensor, name);
    case TensorType::kBfloat16:
      return bytes_of<Eigen::bfloat16>(tensor, name);
    default: {
      const std::vector<double> numbers = numbers_of<double>(tensor, name);
      const auto bytes = std::as_bytes(std::span(numbers));
      return {bytes.begin(), bytes.end()};
    }
  }
}

}  // namespace paretofl
