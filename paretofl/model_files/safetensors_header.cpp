#include "paretofl/model_files/safetensors_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/registry/registry.h"

namespace paretofl {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are views of little-endian files");

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // what the format's own library takes at most
constexpr int kMaxDepth = 4;                            // of the format's JSON it is 3

struct TypeEntry {
  TensorType type;
  std::string_view name;
  std::size_t bits;
};

constexpr std::array<TypeEntry, 22> kTypes{{{TensorType::kFloat64, "F64", 64},
                                            {TensorType::kFloat32, "F32", 32},
                                            {TensorType::kFloat16, "F16", 16},
                                            {TensorType::kBfloat16, "BF16", 16},
                                            {TensorType::kInt64, "I64", 64},
                                            {TensorType::kInt32, "I32", 32},
                                            {TensorType::kInt16, "I16", 16},
                                            {TensorType::kInt8, "I8", 8},
                                            {TensorType::kUint64, "U64", 64},
                                            {TensorType::kUint32, "U32", 32},
                                            {TensorType::kUint16, "U16", 16},
                                            {TensorType::kUint8, "U8", 8},
                                            {TensorType::kBool, "BOOL", 8},
                                            {TensorType::kComplex64, "C64", 64},
                                            {TensorType::kFloat8E4m3, "F8_E4M3", 8},
                                            {TensorType::kFloat8E5m2, "F8_E5M2", 8},
                                            {TensorType::kFloat8E8m0, "F8_E8M0", 8},
                                            {TensorType::kFloat8E4m3fnuz, "F8_E4M3FNUZ", 8},
                                            {TensorType::kFloat8E5m2fnuz, "F8_E5M2FNUZ", 8},
                                            {TensorType::kFloat6E2m3, "F6_E2M3", 6},
                                            {TensorType::kFloat6E3m2, "F6_E3M2", 6},
                                            {TensorType::kFloat4, "F4", 4}}};

const TypeEntry& entry(TensorType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(), [type](const TypeEntry& e) { return e.type == type; });
}

// JSON in which no object names a key twice.
json parse_strictly(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;
  const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
    expect(depth <= kMaxDepth, "{}: expected a header of tensors, found JSON more than {} levels deep", name, kMaxDepth);
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key) {
      expect(keys.back().insert(parsed.get<std::string>()).second, "{}: expected every name once in the header, found {} twice", name,
             parsed.dump());
    }
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::exception& error) {
    const std::string_view message = error.what();  // behind the library's own prefix in brackets
    throw Error(fmt::format("{}: expected a header in JSON, found: {}", name, message.substr(message.find("] ") + 2)));
  }
}

const json& field(const json& object, const char* key, const std::string& what) {
  const auto found = object.find(key);
  expect(found != object.end(), "{}: expected the key '{}', found none", what, key);
  return *found;
}

struct ByteRange {
  std::uint64_t begin, end;
};

StoredTensor read_tensor(const json& object, std::span<const std::byte> data, const std::string& what, ByteRange& range) {
  expect(object.is_object() && object.size() == 3, "{}: expected an object of dtype, shape and data_offsets, found {}", what,
         object.is_object() ? fmt::format("{} keys", object.size()) : object.type_name());
  const json& dtype = field(object, "dtype", what);
  const json& shape = field(object, "shape", what);
  const json& offsets = field(object, "data_offsets", what);

  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&dtype](const TypeEntry& e) { return dtype == e.name; });
  if (type == kTypes.end()) {
    std::vector<std::string_view> names;
    for (const TypeEntry& known : kTypes) names.push_back(known.name);
    throw Error(fmt::format("{}: expected a dtype of {}, found {}", what, fmt::join(names, ", "), dtype.dump()));
  }
  StoredTensor tensor;
  tensor.type = type->type;
  expect(shape.is_array(), "{}: expected a list as shape, found {}", what, shape.type_name());
  for (const json& size : shape) {
    expect(size.is_number_unsigned() && size.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max(),
           "{}: expected whole sizes from 0, found {}", what, size.dump());
    tensor.shape.push_back(size.get<std::int64_t>());
  }
  const auto is_offset = [](const json& offset) { return offset.is_number_unsigned(); };
  expect(offsets.is_array() && offsets.size() == 2 && std::all_of(offsets.begin(), offsets.end(), is_offset),
         "{}: expected data_offsets of two whole numbers from 0, found {}", what, offsets.dump());
  range = {offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()};
  expect(range.begin <= range.end && range.end <= data.size(), "{}: expected data_offsets in order within {} bytes, found [{}, {}]", what,
         data.size(), range.begin, range.end);
  const std::size_t bytes = tensor_bytes(tensor.type, tensor.shape, what);
  expect(range.end - range.begin == bytes, "{}: expected {} bytes for its dtype and shape, found {}", what, bytes, range.end - range.begin);
  tensor.bytes = data.subspan(range.begin, bytes);
  return tensor;
}

void check_gapless(std::vector<ByteRange> ranges, std::uint64_t size, const std::string& name) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::uint64_t filled = 0;
  for (const ByteRange& range : ranges) {
    expect(range.begin == filled, "{}: expected tensors without gaps or overlaps, found one from byte {} where the one before ends at {}",
           name, range.begin, filled);
    filled = range.end;
  }
  expect(filled == size, "{}: expected tensors to fill {} bytes of data, found they take {}", name, size, filled);
}

}  // namespace

std::size_t element_bits(TensorType type) { return entry(type).bits; }
std::string_view stored_name(TensorType type) { return entry(type).name; }

std::size_t tensor_bytes(TensorType type, const std::vector<std::int64_t>& shape, const std::string& name) {
  std::size_t bits = element_bits(type);
  bool counted = true;
  for (const std::int64_t size : shape) {
    expect(size >= 0, "{}: expected sizes from 0, found {}", name, size);
    counted &= !__builtin_mul_overflow(bits, static_cast<std::size_t>(size), &bits);
  }
  expect(counted, "{}: expected a shape of fewer than 2^64 bits, found more", name);
  expect(bits % 8 == 0, "{}: expected whole bytes, found {} bits", name, bits);
  return bits / 8;
}

SafetensorsHeader parse_safetensors(std::span<const std::byte> content, const std::string& name) {
  expect(content.size() >= kLengthBytes, "{}: expected a safetensors header, found a file of {} bytes", name, content.size());
  std::uint64_t length = 0;
  std::memcpy(&length, content.data(), kLengthBytes);
  expect(length <= kMaxHeaderBytes, "{}: expected a safetensors header of at most {} bytes, found {}", name, kMaxHeaderBytes, length);
  expect(length <= content.size() - kLengthBytes, "{}: expected a header of {} bytes, found the file ends after {}", name, length,
         content.size() - kLengthBytes);
  const std::string_view text(reinterpret_cast<const char*>(content.data()) + kLengthBytes, length);
  expect(text.starts_with('{'), "{}: expected a header that starts with '{{', found something else", name);
  const auto data = content.subspan(kLengthBytes + length);

  SafetensorsHeader header;
  std::vector<ByteRange> ranges;
  const json parsed = parse_strictly(text, name);
  for (const auto& [key, value] : parsed.items()) {
    const std::string what = name + ": tensor " + json(key).dump();
    if (key == "__metadata__") {
      expect(value.is_object(), "{}: expected metadata of texts, found {}", name, value.type_name());
      for (const auto& [meta, text_of] : value.items()) {
        expect(text_of.is_string(), "{}: expected metadata of texts, found {}", name, text_of.type_name());
        header.metadata.emplace(meta, text_of.get<std::string>());
      }
    } else {
      header.tensors.emplace(key, read_tensor(value, data, what, ranges.emplace_back()));
    }
  }
  check_gapless(std::move(ranges), data.size(), name);
  return header;
}

const StoredTensor& named_tensor(const std::map<std::string, StoredTensor, std::less<>>& tensors, std::string_view name,
                                 const std::string& where) {
  if (const auto found = tensors.find(name); found != tensors.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, tensor] : tensors) known.push_back(key);
  const std::string near = nearest(name, known);
  throw Error(fmt::format("{}: expected the tensor '{}', found none{}", where, name, near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace paretofl
