#include "paretofl/images/idx_file.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const Bytes kValues = {1, 2, 3, 4, 5, 6};

std::string error_of(const Bytes& content, std::size_t rank) {
  try {
    parse_idx(content, rank, "digits.idx");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(IdxFile, ReadsPlainAndGzipByContent) {
  const Bytes plain = idx_bytes({3, 1, 2}, kValues);
  for (const Bytes& content : {plain, gzip(plain)}) {
    const IdxFile file = parse_idx(content, 3, "x");
    EXPECT_THAT(file.shape, ElementsAre(3, 1, 2));
    EXPECT_EQ(file.values, kValues);
  }
  const auto folder = empty_folder("idx_file");
  write_bytes(folder / "plain.gz", plain);
  write_bytes(folder / "packed", gzip(plain));
  EXPECT_EQ(read_idx(folder / "plain.gz", 3).values, kValues);
  EXPECT_EQ(read_idx(folder / "packed", 3).values, kValues);
}

TEST(IdxFile, ReadsSeveralGzipMembersAsOneStream) {
  const Bytes plain = idx_bytes({3, 1, 2}, kValues);
  for (std::size_t cut = 0; cut <= plain.size(); ++cut) {
    const auto middle = plain.begin() + static_cast<std::ptrdiff_t>(cut);
    Bytes packed = gzip(Bytes(plain.begin(), middle));
    const Bytes rest = gzip(Bytes(middle, plain.end()));
    packed.insert(packed.end(), rest.begin(), rest.end());
    EXPECT_EQ(parse_idx(packed, 3, "x").values, kValues) << cut;
    packed.pop_back();
    EXPECT_THAT(error_of(packed, 3), HasSubstr("truncated")) << cut;
  }
}

TEST(IdxFile, ReadsLargeCompressedFiles) {
  Bytes values(3000000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * i >> 7);
  EXPECT_EQ(parse_idx(gzip(idx_bytes({3000000}, values)), 1, "x").values, values);
  const Bytes zeros(3000000, 0);  // the best case of the compressor
  EXPECT_EQ(parse_idx(gzip(idx_bytes({3000000}, zeros)), 1, "x").values, zeros);
}

TEST(IdxFile, EveryTruncationIsOneErrorThatNamesTheFile) {
  const Bytes plain = idx_bytes({2, 3}, kValues);
  for (const Bytes& content : {plain, gzip(plain)}) {
    for (std::size_t size = 0; size < content.size(); ++size) {
      const std::string error = error_of(Bytes(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size)), 2);
      EXPECT_THAT(error, AllOf(HasSubstr("digits.idx: expected"), HasSubstr("found"), testing::Not(HasSubstr("\n")))) << size;
    }
  }
}

TEST(IdxFile, RefusesTrailingBytes) {
  Bytes plain = idx_bytes({2, 3}, kValues);
  Bytes packed = gzip(plain);
  packed.push_back(0);
  EXPECT_THAT(error_of(packed, 2), HasSubstr("after the gzip stream"));
  plain.push_back(7);
  EXPECT_THAT(error_of(plain, 2), HasSubstr("found more bytes"));
  EXPECT_THAT(error_of(gzip(plain), 2), HasSubstr("found more bytes"));
}

TEST(IdxFile, RefusesWrongHeaders) {
  Bytes content = idx_bytes({2, 3}, kValues);
  EXPECT_THAT(error_of(content, 1), HasSubstr("expected 1 dimensions, found 2"));
  EXPECT_THAT(error_of(content, 3), HasSubstr("expected 3 dimensions, found 2"));
  EXPECT_THAT(error_of(content, 0), HasSubstr("rank"));
  content[2] = 0x0d;  // floats
  EXPECT_THAT(error_of(content, 2), HasSubstr("found 00 00 0d"));
  EXPECT_THAT(error_of({'P', 'K', 3, 4, 0, 0, 0, 0}, 2), HasSubstr("found 50 4b 03"));
  EXPECT_THAT(error_of({}, 1), HasSubstr("less than 4 bytes"));
}

TEST(IdxFile, RefusesAbsurdSizesBeforeAllocating) {
  EXPECT_THAT(error_of(idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, kValues), 3), HasSubstr("sizes that make at most"));
  EXPECT_THAT(error_of(idx_bytes({0xffffffff, 2}, kValues), 2), HasSubstr("sizes that make at most"));
  EXPECT_THAT(error_of(idx_bytes({0, 3}, {}), 2), HasSubstr("found 0 in dimension 0"));
  EXPECT_THAT(error_of(idx_bytes({1U << 30}, kValues), 1), HasSubstr("truncated"));
  EXPECT_THAT(error_of(gzip(idx_bytes({1U << 30}, kValues)), 1), HasSubstr("expected 1073741824 values, found the file truncated"));
}

TEST(IdxFile, RefusesDamagedGzip) {
  const Bytes packed = gzip(idx_bytes({2, 3}, kValues));
  for (std::size_t position = 10; position < packed.size(); ++position) {  // behind the gzip header, which holds free fields
    Bytes damaged = packed;
    damaged[position] ^= 0x10;
    EXPECT_THAT(error_of(damaged, 2), HasSubstr("digits.idx: expected")) << position;
  }
}

TEST(IdxFile, RefusesWhatIsNoReadableFile) {
  const auto folder = empty_folder("idx_no_file");
  EXPECT_THROW(read_idx(folder, 1), Error);
  EXPECT_THROW(read_idx(folder / "absent", 1), Error);
  EXPECT_THROW(read_idx("/dev/zero", 1), Error);
}

}  // namespace
}  // namespace paretofl
