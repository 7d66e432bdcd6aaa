#include "paretofl/model_files/npz.h"

#include <fmt/ranges.h>
#include <zlib.h>

#include <ostream>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/safetensors_header.h"

namespace paretofl {
namespace {

constexpr std::uint64_t kMaxBytes = 0xFFFFFFFE;  // the largest number is a mark of the format's extension
constexpr std::size_t kMaxEntries = 0xFFFE;

/// One file of a ZIP archive that is stored as it is.
struct ZipEntry {
  std::string name;
  std::string header;  ///< what comes before the bytes
  std::span<const std::byte> bytes;

  std::uint64_t size() const { return header.size() + bytes.size(); }
};

std::string low_bytes(std::uint64_t number, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>((number >> (8 * i)) & 0xFF);
  return text;
}

/// The header of a .npy file: its length is padded so that the numbers begin at a multiple of 64 bytes.
std::string npy_header(const StoredTensor& tensor, const std::string& name) {
  expect(tensor.type == TensorType::kFloat32 || tensor.type == TensorType::kFloat64,
         "npz: expected tensors of float32 or float64, found {} of '{}'", stored_name(tensor.type), name);
  const std::string shape =
      tensor.shape.size() == 1 ? fmt::format("{},", tensor.shape[0]) : fmt::format("{}", fmt::join(tensor.shape, ", "));
  std::string text = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}), }}", element_bits(tensor.type) / 8, shape);
  constexpr std::size_t kBefore = 10;  // the mark, the version and the length
  text.resize((kBefore + text.size() + 1 + 63) / 64 * 64 - kBefore - 1, ' ');
  text += '\n';
  expect(name.size() <= 0xFF00, "npz: expected names of at most {} bytes, found one of {}", 0xFF00, name.size());
  expect(text.size() <= 0xFFFF, "npz: expected a shape that fits a header, found {} dimensions of '{}'", tensor.shape.size(), name);
  return std::string("\x93NUMPY\x01\x00", 8) + low_bytes(text.size(), 2) + text;
}

std::uint32_t checksum(const ZipEntry& entry) {
  const uLong sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(entry.header.data()), entry.header.size());
  if (entry.bytes.empty()) return static_cast<std::uint32_t>(sum);  // zlib would begin anew without a pointer
  return static_cast<std::uint32_t>(::crc32_z(sum, reinterpret_cast<const Bytef*>(entry.bytes.data()), entry.bytes.size()));
}

/// What the local header and the directory say alike of an entry: version 2.0, names in UTF-8, stored, the earliest date, sizes.
std::string described(const ZipEntry& entry, std::uint32_t sum) {
  return low_bytes(20, 2) + low_bytes(0x0800, 2) + low_bytes(0, 2) + low_bytes(0, 2) + low_bytes(0x21, 2) + low_bytes(sum, 4) +
         low_bytes(entry.size(), 4) + low_bytes(entry.size(), 4) + low_bytes(entry.name.size(), 2) + low_bytes(0, 2);
}

}  // namespace

void write_npz(const std::filesystem::path& file, const std::map<std::string, StoredTensor, std::less<>>& tensors) {
  std::vector<ZipEntry> entries;
  std::uint64_t total = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t bytes = tensor_bytes(tensor.type, tensor.shape, name);
    expect(tensor.bytes.size() == bytes, "{}: expected {} bytes of tensor '{}' for its type and shape, found {}", file.string(), bytes,
           name, tensor.bytes.size());
    entries.push_back({.name = name + ".npy", .header = npy_header(tensor, name), .bytes = tensor.bytes});
    total += entries.back().size() + 2 * entries.back().name.size() + 128;
  }
  expect(total <= kMaxBytes && entries.size() <= kMaxEntries,
         "{}: expected at most {} tensors and {} bytes, which is what a .npz file holds, found {} and {}; safetensors holds more",
         file.string(), kMaxEntries, kMaxBytes, entries.size(), total);
  write_whole_file(file, [&](std::ostream& out) {
    std::string directory;
    std::uint64_t offset = 0;
    for (const ZipEntry& entry : entries) {
      const std::string about = described(entry, checksum(entry));
      const std::string local = "PK\x03\x04" + about + entry.name + entry.header;
      out << local;
      out.write(reinterpret_cast<const char*>(entry.bytes.data()), static_cast<std::streamsize>(entry.bytes.size()));
      // Made by version 2.0; no comment, disk 0, no attributes.
      directory += "PK\x01\x02" + low_bytes(20, 2) + about + low_bytes(0, 2) + low_bytes(0, 2) + low_bytes(0, 2) + low_bytes(0, 4) +
                   low_bytes(offset, 4) + entry.name;
      offset += local.size() + entry.bytes.size();
    }
    const std::string count = low_bytes(entries.size(), 2);
    out << directory << "PK\x05\x06" << low_bytes(0, 4) << count << count << low_bytes(directory.size(), 4) << low_bytes(offset, 4)
        << low_bytes(0, 2);
  });
}

}  // namespace paretofl
