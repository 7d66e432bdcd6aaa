#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "paretofl/model_files/safetensors.h"

namespace paretofl {

/// What a safetensors file says it holds.
struct SafetensorsHeader {
  std::map<std::string, StoredTensor, std::less<>> tensors;  ///< views of the parsed bytes
  std::map<std::string, std::string> metadata;
};

/// Reads the whole content of a file in the safetensors format: the header's length (8 bytes, little endian), the header
/// (a JSON object of UTF-8 text, spaces behind it allowed), the tensors' bytes. Every tensor's bytes must be as many as its
/// type and shape take, and together they must fill the data without gaps or overlaps, as the format's own library asks.
/// Throws Error, with `name` for the file, on anything else.
SafetensorsHeader parse_safetensors(std::span<const std::byte> content, const std::string& name);

std::size_t element_bits(TensorType type);
std::string_view stored_name(TensorType type);  ///< "F32", ...

/// Bytes of a tensor of that type and shape. Throws Error, calling it `name`, if a size is negative, they are too many
/// to count, or elements of less than a byte do not fill the last one.
std::size_t tensor_bytes(TensorType type, const std::vector<std::int64_t>& shape, const std::string& name);

/// One of `tensors`. Throws Error, with `where` for if they are from, naming the nearest name among them.
const StoredTensor& named_tensor(const std::map<std::string, StoredTensor, std::less<>>& tensors, std::string_view name,
                                 const std::string& where);

}  // namespace paretofl
