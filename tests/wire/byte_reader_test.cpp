#include "paretofl/wire/byte_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "paretofl/core/error.h"
#include "paretofl/wire/byte_writer.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ByteReader, ReadsWhatTheWriterWrote) {
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  out.u8(200);
  out.u16(60000);
  out.u32(4000000000U);
  out.u64(1ULL << 63);
  out.i64(-5);
  out.f64(-0.1);
  out.text(std::string("a\0b", 3));
  out.floats(std::vector<float>{1.5F, -2});
  out.doubles({});
  EXPECT_EQ(out.size(), bytes.size());
  ByteReader in(bytes);
  EXPECT_EQ(in.u8("x"), 200);
  EXPECT_EQ(in.u16("x"), 60000);
  EXPECT_EQ(in.u32("x"), 4000000000U);
  EXPECT_EQ(in.u64("x"), 1ULL << 63);
  EXPECT_EQ(in.i64("x"), -5);
  EXPECT_EQ(in.f64("x"), -0.1);
  EXPECT_EQ(in.text("x"), std::string("a\0b", 3));
  EXPECT_THAT(in.floats("x"), ElementsAre(1.5F, -2));
  EXPECT_TRUE(in.doubles("x").empty());
  EXPECT_EQ(in.left(), 0U);
}

TEST(ByteReader, IsLittleEndian) {
  std::vector<std::byte> bytes;
  ByteWriter(bytes).u32(0x01020304);
  EXPECT_THAT(bytes, ElementsAre(std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}));
}

TEST(ByteReader, RefusesToReadBeyondTheEnd) {
  const std::vector<std::byte> bytes(7);
  EXPECT_EQ(error_of([&] { ByteReader(bytes).u64("seed"); }), "message: expected 1 x 8 bytes of seed, found 7 bytes left");
  EXPECT_EQ(error_of([&] { ByteReader(bytes).bytes(8, "elements"); }), "message: expected 8 x 1 bytes of elements, found 7 bytes left");
  EXPECT_EQ(error_of([&] { ByteReader({}).u8("flag"); }), "message: expected 1 x 1 bytes of flag, found 0 bytes left");
}

// A length that overflows when multiplied by the element size must not pass for a small one.
TEST(ByteReader, RefusesAbsurdLengthsBeforeAllocating) {
  for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 40, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.u64(length);
    out.u16(0);
    EXPECT_THAT(error_of([&] { ByteReader(bytes).floats("update"); }), HasSubstr("bytes of update, found 2 bytes left"));
    EXPECT_THAT(error_of([&] { ByteReader(bytes).doubles("losses"); }), HasSubstr("bytes of losses, found 2 bytes left"));
    EXPECT_THAT(error_of([&] { ByteReader(bytes).text("verb"); }), HasSubstr("bytes of verb, found 2 bytes left"));
  }
}

TEST(ByteReader, AFlagIsZeroOrOne) {
  const std::vector<std::byte> bytes{std::byte{0}, std::byte{1}, std::byte{2}};
  ByteReader in(bytes);
  EXPECT_FALSE(in.flag("error"));
  EXPECT_TRUE(in.flag("error"));
  EXPECT_EQ(error_of([&] { in.flag("error"); }), "message: expected 0 or 1 for error, found 2");
}

TEST(ByteWriter, CountsWithoutABuffer) {
  ByteWriter counter;
  counter.text("four");
  counter.floats(std::vector<float>(1000));
  EXPECT_EQ(counter.size(), 8 + 4 + 8 + 4000U);
}

}  // namespace
}  // namespace paretofl
