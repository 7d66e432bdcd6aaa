#include "paretofl/model_files/safetensors.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/safetensors_header.h"

namespace paretofl {

struct Safetensors::Mapping {
  explicit Mapping(const std::filesystem::path& path) {
    const InputFile file(path);
    if (file.size() == 0) return;
    void* start = ::mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    expect(start != MAP_FAILED, "{}: expected a file that can be mapped, found: {}", path.string(), std::strerror(errno));
    bytes = {static_cast<const std::byte*>(start), file.size()};
  }
  ~Mapping() {
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<const std::byte> bytes;
};

Safetensors::Safetensors(const std::filesystem::path& file) : file_(file), mapping_(std::make_unique<Mapping>(file)) {
  DataLedger::note(file, mapping_->bytes);
  SafetensorsHeader header = parse_safetensors(mapping_->bytes, file.string());
  tensors_ = std::move(header.tensors);
  metadata_ = std::move(header.metadata);
}

Safetensors::~Safetensors() = default;
Safetensors::Safetensors(Safetensors&&) noexcept = default;
Safetensors& Safetensors::operator=(Safetensors&&) noexcept = default;

const StoredTensor& Safetensors::tensor(std::string_view name) const { return named_tensor(tensors_, name, file_.string()); }

void write_safetensors(const std::filesystem::path& file, const std::map<std::string, StoredTensor, std::less<>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<std::pair<std::string, const StoredTensor*>> order;
  for (const auto& [name, tensor] : tensors) {
    expect(name != "__metadata__", "{}: expected names of tensors, found __metadata__, which the format has for something else",
           file.string());
    const std::size_t bytes = tensor_bytes(tensor.type, tensor.shape, name);
    expect(tensor.bytes.size() == bytes, "{}: expected {} bytes of tensor '{}' for its type and shape, found {}", file.string(), bytes,
           name, tensor.bytes.size());
    order.emplace_back(name, &tensor);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return element_bits(a.second->type) > element_bits(b.second->type); });

  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  for (const auto& [key, value] : metadata) header["__metadata__"][key] = value;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : order) {
    header[name] = {
        {"dtype", stored_name(tensor->type)}, {"shape", tensor->shape}, {"data_offsets", {offset, offset + tensor->bytes.size()}}};
    offset += tensor->bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  write_whole_file(file, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    for (const auto& [name, tensor] : order) {
      out.write(reinterpret_cast<const char*>(tensor->bytes.data()), static_cast<std::streamsize>(tensor->bytes.size()));
    }
  });
}

}  // namespace paretofl
