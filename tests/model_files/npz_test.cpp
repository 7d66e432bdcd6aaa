#include "paretofl/model_files/npz.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <class T>
StoredTensor npz_tensor(TensorType type, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  return {.type = type, .shape = std::move(shape), .bytes = std::as_bytes(std::span(values))};
}

std::uint64_t number_at(const std::string& text, std::size_t place, int bytes) {
  std::uint64_t number = 0;
  for (int i = bytes; i-- > 0;) number = number << 8 | static_cast<std::uint8_t>(text.at(place + static_cast<std::size_t>(i)));
  return number;
}

/// Bit by bit.
std::uint32_t crc32_of(const std::string& text) {
  std::uint32_t remainder = 0xFFFFFFFF;
  for (const char byte : text) {
    remainder ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~remainder;
}

/// The stored files of a ZIP archive, found as readers do: from the end, through the directory; each checksum is checked.
std::map<std::string, std::string> unzipped(const std::string& archive) {
  const std::size_t end = archive.size() - 22;
  EXPECT_EQ(archive.substr(end, 4), "PK\x05\x06");
  std::size_t place = number_at(archive, end + 16, 4);
  EXPECT_EQ(place + number_at(archive, end + 12, 4), end);
  std::map<std::string, std::string> files;
  for (std::uint64_t i = 0; i < number_at(archive, end + 10, 2); ++i) {
    EXPECT_EQ(archive.substr(place, 4), "PK\x01\x02");
    const std::size_t size = number_at(archive, place + 24, 4), name_length = number_at(archive, place + 28, 2);
    const std::size_t local = number_at(archive, place + 42, 4);
    const std::string name = archive.substr(place + 46, name_length);
    EXPECT_EQ(archive.substr(local, 4), "PK\x03\x04");
    EXPECT_EQ(archive.substr(local + 4, 26), archive.substr(place + 6, 26)) << name;
    EXPECT_EQ(archive.substr(local + 30, name_length), name);
    files[name] = archive.substr(local + 30 + name_length, size);
    EXPECT_EQ(number_at(archive, place + 16, 4), crc32_of(files[name])) << name;
    place += 46 + name_length;
  }
  EXPECT_EQ(place, end);
  return files;
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

const std::filesystem::path kNpz = std::filesystem::path(testing::TempDir()) / "paretofl_arrays.npz";

TEST(Npz, HoldsArraysByName) {
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6}, none;
  const std::vector<double> one = {-0.5};
  write_npz(kNpz, {{"body.weight", npz_tensor(TensorType::kFloat32, {2, 3}, floats)},
                   {"body.bias", npz_tensor(TensorType::kFloat32, {6}, floats)},
                   {"scale", npz_tensor(TensorType::kFloat64, {}, one)},
                   {"empty", npz_tensor(TensorType::kFloat32, {0, 4}, none)}});
  const auto files = unzipped(read_bytes(kNpz));
  const std::map<std::string, std::pair<std::string, std::string>> expected = {
      {"body.weight.npy",
       {"'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), ", std::string(reinterpret_cast<const char*>(floats.data()), 24)}},
      {"body.bias.npy",
       {"'descr': '<f4', 'fortran_order': False, 'shape': (6,), ", std::string(reinterpret_cast<const char*>(floats.data()), 24)}},
      {"scale.npy", {"'descr': '<f8', 'fortran_order': False, 'shape': (), ", std::string(reinterpret_cast<const char*>(one.data()), 8)}},
      {"empty.npy", {"'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), ", ""}}};
  EXPECT_EQ(files.size(), expected.size());
  for (const auto& [name, parts] : expected) {
    const std::string& file = files.at(name);
    EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header = 10 + number_at(file, 8, 2);
    EXPECT_EQ(header % 64, 0U);
    EXPECT_EQ(file[header - 1], '\n');
    EXPECT_THAT(file.substr(10, header - 10), testing::StartsWith("{" + parts.first + "}"));
    EXPECT_EQ(file.substr(header), parts.second) << name;
  }
}

TEST(Npz, RefusesWhatItCannotHold) {
  const std::vector<float> two = {1, 2};
  const std::vector<std::int64_t> integers = {1, 2};
  EXPECT_THAT(
      [&] {
        write_npz(kNpz, {{"a", npz_tensor(TensorType::kFloat32, {3}, two)}});
      },
      ThrowsMessage<Error>(HasSubstr("expected 12 bytes of tensor 'a' for its type and shape, found 8")));
  EXPECT_THAT(
      [&] {
        write_npz(kNpz, {{"a", npz_tensor(TensorType::kInt64, {2}, integers)}});
      },
      ThrowsMessage<Error>(HasSubstr("expected tensors of float32 or float64, found I64 of 'a'")));
  EXPECT_THAT(
      [&] {
        write_npz(kNpz, {{std::string(70000, 'a'), npz_tensor(TensorType::kFloat32, {2}, two)}});
      },
      ThrowsMessage<Error>(HasSubstr("found one of 70000")));
}

}  // namespace
}  // namespace paretofl
