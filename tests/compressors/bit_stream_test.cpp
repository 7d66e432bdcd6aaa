#include "paretofl/compressors/bit_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

TEST(BitStream, ReadsBackWhatWasWritten) {
  for (unsigned bits = 1; bits <= 32; ++bits) {
    for (const std::size_t count : {0, 1, 7, 100}) {
      Random random({bits}, "bits");
      std::vector<std::uint32_t> values(count);
      BitWriter writer;
      for (std::uint32_t& value : values) {
        value = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << bits));
        writer.write(value, bits);
      }
      const Array packed = std::move(writer).take();
      EXPECT_EQ(packed.size(), 4 * BitWriter::numbers(count, bits));
      BitReader reader(packed.uints());
      for (const std::uint32_t value : values) ASSERT_EQ(reader.read(bits), value) << bits;
    }
  }
}

TEST(BitStream, SaysWhereBytesRunOut) {
  const std::vector<std::uint8_t> bytes(4);
  BitReader reader(bytes);
  for (int i = 0; i < 4; ++i) reader.read(7);
  EXPECT_THAT([&] { reader.read(7); }, testing::ThrowsMessage<Error>(testing::HasSubstr("expected 3 more, found the end after 4 bytes")));
}

}  // namespace
}  // namespace paretofl
