#include "paretofl/model_files/safetensors.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors_folder.h"
#include "paretofl/model_files/safetensors_header.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string error_of(const std::string& content) {
  try {
    parse_safetensors(std::as_bytes(std::span(content)), "x.safetensors");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::filesystem::path folder_named(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

void write_text(const std::filesystem::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

template <class T>
StoredTensor stored(TensorType type, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  return {.type = type, .shape = std::move(shape), .bytes = std::as_bytes(std::span(values))};
}

const std::string kTwo = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}})";
const std::string kNine = "123456789";

TEST(Safetensors, WritesMetadataBesideTheFormat) {
  const auto file = folder_named("safetensors_metadata") / "x.safetensors";
  const std::vector<float> one = {1};
  write_safetensors(file, {{"a", stored(TensorType::kFloat32, {1}, one)}}, {{"round", "3"}});
  EXPECT_THAT(Safetensors(file).metadata(), ElementsAre(std::pair("format", "pt"), std::pair("round", "3")));
  EXPECT_THROW(write_safetensors(file, {{"__metadata__", stored(TensorType::kFloat32, {1}, one)}}), Error);
}

TEST(Safetensors, ReadsWhatItWrites) {
  const auto file = folder_named("safetensors_write") / "x.safetensors";
  const std::vector<std::uint8_t> odd = {1, 2, 3};
  const std::vector<double> doubles = {1.5, -2};
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6}, none;
  write_safetensors(file, {{"a", stored(TensorType::kUint8, {3}, odd)},
                           {"b", stored(TensorType::kFloat64, {2}, doubles)},
                           {"c", stored(TensorType::kFloat32, {2, 3}, floats)},
                           {"d", stored(TensorType::kFloat32, {0, 3}, none)}});
  const Safetensors read(file);
  EXPECT_EQ(read.tensors().size(), 4U);
  EXPECT_EQ(read.metadata().at("format"), "pt");
  const StoredTensor& c = read.tensor("c");
  EXPECT_EQ(c.type, TensorType::kFloat32);
  EXPECT_THAT(c.shape, ElementsAre(2, 3));
  EXPECT_EQ(std::memcmp(c.bytes.data(), floats.data(), 24), 0);
  EXPECT_EQ(std::memcmp(read.tensor("b").bytes.data(), doubles.data(), 16), 0);
  EXPECT_THAT(read.tensor("d").shape, ElementsAre(0, 3));
  for (const auto& [name, tensor] : read.tensors()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % (element_bits(tensor.type) / 8), 0U) << name;
  }
}

TEST(Safetensors, AMissingNameIsOneErrorWithTheNearest) {
  const auto file = folder_named("safetensors_missing") / "x.safetensors";
  const std::vector<float> one = {1};
  write_safetensors(file, {{"model.norm.weight", stored(TensorType::kFloat32, {1}, one)}});
  try {
    Safetensors(file).tensor("model.norm.weigth");
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("x.safetensors: expected the tensor"), HasSubstr("did you mean model.norm.weight?")));
  }
}

TEST(Safetensors, RefusesToWriteBytesThatAreNotTheShapes) {
  const auto file = folder_named("safetensors_wrong") / "x.safetensors";
  const std::vector<float> two = {1, 2};
  EXPECT_THROW(write_safetensors(file, {{"a", stored(TensorType::kFloat32, {3}, two)}}), Error);
  EXPECT_THROW(write_safetensors(file, {{"a", stored(TensorType::kFloat32, {-2}, two)}}), Error);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Safetensors, ReadsTheFormatsOwnLayout) {
  const std::string content = file_of(kTwo + "   ", kNine);
  const SafetensorsHeader header = parse_safetensors(std::as_bytes(std::span(content)), "x");
  EXPECT_EQ(header.tensors.at("a").bytes.size(), 8U);
  EXPECT_EQ(header.tensors.at("b").bytes[0], std::byte{'9'});
  EXPECT_EQ(error_of(file_of("{}", "")), "no error");
}

TEST(Safetensors, ReadsTensorsOfEveryType) {
  const auto one = [](const std::string& type, int count, int bytes) {
    return error_of(file_of(fmt::format(R"({{"t":{{"dtype":"{}","shape":[{}],"data_offsets":[0,{}]}}}})", type, count, bytes),
                            std::string(static_cast<std::size_t>(bytes), 'x')));
  };
  for (const char* type : {"F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "BOOL", "U8", "I8"}) {
    EXPECT_EQ(one(type, 3, 3), "no error") << type;
  }
  for (const char* type : {"U16", "I16", "F16", "BF16"}) EXPECT_EQ(one(type, 3, 6), "no error") << type;
  for (const char* type : {"U32", "I32", "F32"}) EXPECT_EQ(one(type, 3, 12), "no error") << type;
  for (const char* type : {"U64", "I64", "F64", "C64"}) EXPECT_EQ(one(type, 3, 24), "no error") << type;
  EXPECT_EQ(one("F4", 4, 2), "no error");
  EXPECT_EQ(one("F6_E2M3", 4, 3), "no error");
  EXPECT_EQ(one("F6_E3M2", 4, 3), "no error");
  EXPECT_THAT(one("F4", 3, 2), HasSubstr("expected whole bytes, found 12 bits"));
  EXPECT_THAT(one("U64", 3, 23), HasSubstr("expected 24 bytes for its dtype and shape, found 23"));
}

TEST(Safetensors, EveryTruncationIsOneError) {
  const std::string content = file_of(kTwo, kNine);
  for (std::size_t size = 0; size < content.size(); ++size) {
    EXPECT_THAT(error_of(content.substr(0, size)),
                AllOf(HasSubstr("x.safetensors: "), HasSubstr("expected"), HasSubstr("found"), Not(HasSubstr("\n"))))
        << size;
  }
  EXPECT_THAT(error_of(content + "0"), HasSubstr("expected tensors to fill 10 bytes"));
}

TEST(Safetensors, EveryLieIsItsOwnError) {
  const auto one = [](const std::string& tensor, const std::string& data) { return error_of(file_of(R"({"t":)" + tensor + "}", data)); };
  const std::map<std::string, std::string> found = {
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", "1234"), "expected 8 bytes for its dtype and shape, found 4"},
      {one(R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})", "1234"), R"(expected a dtype of F64, F32)"},
      {one(R"({"dtype":7,"shape":[1],"data_offsets":[0,4]})", "1234"), "expected a dtype"},
      {one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", "1234"), "expected whole sizes from 0, found -1"},
      {one(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})", "1234"), "expected whole sizes"},
      {one(R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})", "1234"), "expected a list as shape, found number"},
      {one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", "1234"), "expected data_offsets in order within 4 bytes, found [4, 0]"},
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", "1234"), "in order within 4 bytes, found [0, 8]"},
      {one(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})", "1234"), "expected data_offsets of two whole numbers"},
      {one(R"({"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]})", "1234"), "fewer than 2^64 bits"},
      {one(R"({"dtype":"F32","shape":[4294967296,4294967296,0,5],"data_offsets":[0,0]})", ""), "fewer than 2^64 bits"},
      {one(R"({"dtype":"F32","shape":[1]})", "1234"), "expected an object of dtype, shape and data_offsets"},
      {one(R"(3)", "1234"), "found number"},
      {one(R"({"dtype":"F32","shape":[1],"data_offsets":[1,5]})", "12345"), "found one from byte 1 where the one before ends at 0"},
  };
  for (const auto& [error, part] : found) EXPECT_THAT(error, AllOf(HasSubstr("x.safetensors: "), HasSubstr(part)));

  const auto pair = [](const std::string& a, const std::string& b) {
    return error_of(
        file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + a + R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + b + "}}",
                "12345"));
  };
  EXPECT_THAT(pair("[0,2]", "[1,3]"), HasSubstr("overlaps"));
  EXPECT_THAT(pair("[0,2]", "[3,5]"), HasSubstr("gaps"));
  EXPECT_THAT(pair("[0,2]", "[2,4]"), HasSubstr("expected tensors to fill 5 bytes of data, found they take 4"));

  EXPECT_THAT(error_of(file_of(R"({"a":{},"a":{}})", "")), HasSubstr(R"(found "a" twice)"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"U8","dtype":"U8"}})", "")), HasSubstr(R"(found "dtype" twice)"));
  EXPECT_THAT(error_of(file_of("{\"\xff\":{}}", "")), HasSubstr("expected a header in JSON"));
  EXPECT_THAT(error_of(file_of("{\"a\":", "")), HasSubstr("expected a header in JSON"));
  EXPECT_THAT(error_of(file_of("{\"a\":1e999}", "")), HasSubstr("expected a header in JSON"));
  EXPECT_THAT(error_of(file_of("[]", "")), HasSubstr("expected a header that starts with '{'"));
  EXPECT_THAT(error_of(file_of(R"({"a":)" + std::string(100000, '[') + std::string(100000, ']') + "}", "")), HasSubstr("levels deep"));
  EXPECT_THAT(error_of(file_of(R"({"__metadata__":{"a":1}})", "")), HasSubstr("expected metadata of texts, found number"));
  EXPECT_THAT(error_of(std::string(7, '\xff') + '\x7f' + "{}"), HasSubstr("of at most 100000000 bytes"));
  EXPECT_THAT(error_of(file_of(std::string(50, ' '), "").replace(0, 1, "\x60")),
              HasSubstr("header of 96 bytes, found the file ends after 50"));
}

TEST(Safetensors, RefusesWhatIsNotAFile) {
  EXPECT_THROW(Safetensors(folder_named("safetensors_folder_as_file")), Error);
  EXPECT_THROW(Safetensors("/nowhere/x.safetensors"), Error);
  const auto empty = folder_named("safetensors_empty") / "x.safetensors";
  write_text(empty, "");
  EXPECT_THROW(Safetensors{empty}, Error);
}

TEST(SafetensorsFolder, ShardsReadAsOneFile) {
  const auto whole = folder_named("safetensors_whole"), sharded = folder_named("safetensors_sharded");
  const std::vector<float> a = {1, 2}, b = {3};
  write_safetensors(whole / "model.safetensors",
                    {{"a", stored(TensorType::kFloat32, {2}, a)}, {"b", stored(TensorType::kFloat32, {1}, b)}});
  write_safetensors(sharded / "one.safetensors", {{"a", stored(TensorType::kFloat32, {2}, a)}});
  write_safetensors(sharded / "two.safetensors", {{"b", stored(TensorType::kFloat32, {1}, b)}});
  const auto index = sharded / "model.safetensors.index.json";
  write_text(index, R"({"metadata":{"total_size":12},"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})");
  for (const auto& folder : {whole, sharded}) {
    const SafetensorsFolder read(folder);
    EXPECT_EQ(read.tensors().size(), 2U);
    EXPECT_TRUE(read.contains("a"));
    EXPECT_FALSE(read.contains("c"));
    EXPECT_EQ(std::memcmp(read.tensor("b").bytes.data(), b.data(), 4), 0);
    EXPECT_THROW(read.tensor("c"), Error);
  }
  write_text(index, R"({"weight_map":{"a":"two.safetensors"}})");
  EXPECT_THROW(SafetensorsFolder{sharded}, Error);
  write_text(index, R"({"weight_map":{"a":"three.safetensors"}})");
  EXPECT_THROW(SafetensorsFolder{sharded}, Error);
  EXPECT_THROW(SafetensorsFolder(folder_named("safetensors_none")), Error);
}

TEST(SafetensorsFolder, AnIndexNamesOnlyFilesBesideIt) {
  for (const std::string shard :
       {"\"../one.safetensors\"", "\"/etc/x.safetensors\"", "\"x/one.safetensors\"", "\"\"", "\"one.bin\"", "3"}) {
    EXPECT_THROW(parse_shard_index(R"({"weight_map":{"a":)" + shard + "}}", "x"), Error) << shard;
  }
  for (const std::string text : {"", "[]", "{}", R"({"weight_map":[]})", "\xff"}) EXPECT_THROW(parse_shard_index(text, "x"), Error) << text;
}

TEST(Safetensors, ReadsPublishedModels) {
  PARETOFL_NEEDS_DATA("../golden/transformers/llama-a");
  const SafetensorsFolder model(golden_folder() / "transformers" / "llama-a");
  const StoredTensor& embedding = model.tensor("model.embed_tokens.weight");
  EXPECT_EQ(embedding.type, TensorType::kFloat32);
  EXPECT_THAT(embedding.shape, ElementsAre(128, 48));
}

}  // namespace
}  // namespace paretofl
