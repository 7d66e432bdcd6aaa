#include "paretofl/runs/tensorboard_writer.h"

#include <array>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/runs/tensorboard_event.pb.h"

namespace paretofl {
namespace {

constexpr std::array<std::uint32_t, 256> crc32c_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0x82F63B78u : 0u);
    table[byte] = remainder;
  }
  return table;
}

/// The lowest `bytes` bytes of the number, the lowest first.
std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>((number >> (8 * i)) & 0xFF);
  return text;
}

/// TFRecord masks its checksums, so that a checksum of data holding checksums stays sound.
std::string masked_crc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little_endian(((crc >> 15) | (crc << 17)) + 0xA282EAD8u, 4);
}

void collect(const std::string& tag, const nlohmann::json& value, std::vector<TensorboardScalar>& scalars) {
  if (value.is_number()) {
    scalars.push_back({tag, value.get<double>()});
  } else if (value.is_object()) {
    for (const auto& [key, entry] : value.items()) collect(fmt::format("{}/{}", tag, key), entry, scalars);
  } else if (value.is_array() && value.size() <= kMaxTensorboardEntries) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(fmt::format("{}/{}", tag, i), value[i], scalars);
  }
}

}  // namespace

TensorboardWriter::TensorboardWriter(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary | std::ios::trunc) {
  expect(file_.is_open(), "event file: expected a place to write, found none at {}", path.string());
  TensorboardEvent event;
  event.set_file_version("brain.Event:2");
  write_frame(event.SerializeAsString());
  flush();
}

void TensorboardWriter::scalar(std::string_view tag, std::int64_t step, double value, double wall_time) {
  TensorboardEvent event;
  event.set_wall_time(wall_time);
  event.set_step(step);
  TensorboardSummary::Value* entry = event.mutable_summary()->add_value();
  entry->set_tag(std::string(tag));
  entry->set_simple_value(static_cast<float>(value));
  write_frame(event.SerializeAsString());
}

void TensorboardWriter::flush() {
  file_.flush();
  expect(file_.good(), "event file: expected room to write, found a failed write to {}", path_.string());
}

void TensorboardWriter::write_frame(const std::string& event) {
  const std::string length = little_endian(event.size(), 8);
  file_ << length << masked_crc32c(length) << event << masked_crc32c(event);
}

std::vector<TensorboardScalar> tensorboard_scalars(const nlohmann::json& row, const std::vector<std::string>& objectives) {
  std::vector<TensorboardScalar> scalars;
  for (const auto& [key, value] : row.items()) {
    if (key == "round") continue;
    if (key == "failures") {
      scalars.push_back({key, static_cast<double>(value.size())});
    } else if (key == "lambda" && value.is_array()) {
      expect(value.size() == objectives.size(), "lambda: expected {} weights, found {}", objectives.size(), value.size());
      for (std::size_t k = 0; k < value.size(); ++k) collect("lambda/" + objectives[k], value[k], scalars);
    } else if (key == "front" && value.is_object()) {
      for (const auto& [metric, figures] : value.items()) {
        if (metric != "preferences") collect(key + "/" + metric, figures, scalars);
      }
    } else {
      collect(key, value, scalars);
    }
  }
  return scalars;
}

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc32c_table();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~crc;
}

}  // namespace paretofl
