#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// All of the format's; this engine computes with the first four.
enum class TensorType {
  kFloat32,
  kFloat16,
  kBfloat16,
  kFloat64,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUint64,
  kUint32,
  kUint16,
  kUint8,
  kBool,
  kComplex64,
  kFloat8E4m3,
  kFloat8E5m2,
  kFloat8E8m0,
  kFloat8E4m3fnuz,
  kFloat8E5m2fnuz,
  kFloat6E2m3,
  kFloat6E3m2,
  kFloat4
};

/// One tensor of a safetensors file: row-major, little endian.
struct StoredTensor {
  TensorType type = TensorType::kFloat32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  ///< of the mapped file
};

/// A safetensors file, memory-mapped: its tensors are views of the mapping, which lives as long as this does.
/// Immutable, and safe to share between threads.
class Safetensors {
 public:
  /// Maps a file and checks its header: lengths, offsets, overlaps, shapes against bytes. Throws Error on anything wrong.
  explicit Safetensors(const std::filesystem::path& file);
  ~Safetensors();
  Safetensors(Safetensors&&) noexcept;
  Safetensors& operator=(Safetensors&&) noexcept;

  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// Throws Error naming the file and the nearest name it has.
  const StoredTensor& tensor(std::string_view name) const;

 private:
  struct Mapping;

  std::filesystem::path file_;
  std::unique_ptr<Mapping> mapping_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes tensors, larger elements first, so that each is aligned to its own size, then by name, with the metadata
/// {"format": "pt"} that other readers ask for, and those given. The file appears whole or not at all. Throws Error if bytes and shape of a
/// tensor disagree or the file cannot be written.
void write_safetensors(const std::filesystem::path& file, const std::map<std::string, StoredTensor, std::less<>>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace paretofl
