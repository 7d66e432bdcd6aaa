#include "paretofl/text/gzip_text.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kMost = std::size_t{1} << 22;

std::string little_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

std::uint32_t checksum(const std::string& text) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~sum;
}

// One member, of blocks that are stored as they are.
std::string gzipped(const std::string& text) {
  constexpr std::size_t kBlock = 0xffff;
  std::string content("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  std::size_t at = 0;
  do {
    const std::string block = text.substr(at, kBlock);
    at += block.size();
    content += at == text.size() ? '\x01' : '\0';
    content +=
        little_endian(static_cast<std::uint32_t>(block.size()), 2) + little_endian(~static_cast<std::uint32_t>(block.size()), 2) + block;
  } while (at < text.size());
  return content + little_endian(checksum(text), 4) + little_endian(static_cast<std::uint32_t>(text.size()), 4);
}

TEST(GzipText, HasSeveralMembers) {
  const std::string one = gzipped("one\n");
  EXPECT_TRUE(is_gzip(one));
  EXPECT_FALSE(is_gzip("one\n"));
  EXPECT_EQ(gunzipped(one, "a.gz", kMost), "one\n");
  EXPECT_EQ(gunzipped(one + gzipped("") + gzipped("two\n"), "a.gz", kMost), "one\ntwo\n");
  EXPECT_EQ(gunzipped(one + std::string(1000, '\0'), "a.gz", kMost), "one\n");
  for (const std::size_t size : {(std::size_t{1} << 20) - 1, std::size_t{1} << 20, (std::size_t{1} << 21) + 1}) {
    EXPECT_EQ(gunzipped(gzipped(std::string(size, 'x')), "a.gz", kMost), std::string(size, 'x'));
  }
}

TEST(GzipText, LosesNothingInSilence) {
  const std::string one = gzipped("one\n");
  std::string other = gzipped("two\n");
  for (std::size_t size = 1; size < other.size(); ++size) {
    EXPECT_THROW(gunzipped(one + other.substr(0, size), "a.gz", kMost), Error) << size;
    EXPECT_THROW(gunzipped(other.substr(0, size), "a.gz", kMost), Error) << size;
  }
  EXPECT_THAT([&] { gunzipped(one.substr(0, 12), "a.gz", kMost); },
              ThrowsMessage<Error>("a.gz: expected an intact file, found damage (unexpected end of file)"));
  EXPECT_THAT([&] { gunzipped(one + "more", "a.gz", kMost); },
              ThrowsMessage<Error>("a.gz: expected nothing behind the gzip stream, found 4 bytes"));
  other[0] = 'x';  // the beginning of a second member
  EXPECT_THROW(gunzipped(one + other, "a.gz", kMost), Error);
  std::string wrong = one;
  wrong[wrong.size() - 6] ^= 1;  // its checksum
  EXPECT_THAT([&] { gunzipped(wrong, "a.gz", kMost); }, ThrowsMessage<Error>(HasSubstr("incorrect data check")));
  EXPECT_THAT([&] { gunzipped(one, "a.gz", 3); }, ThrowsMessage<Error>("a.gz: expected at most 3 bytes of text, found more"));
}

}  // namespace
}  // namespace paretofl
