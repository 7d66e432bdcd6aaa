#include "paretofl/images/face_attributes.h"

#include <gmock/gmock.h>
#include <lzma.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/data/xz_file.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// How often attributes occur, alone and in pairs.
struct Frequencies {
  std::array<double, 40> one{};
  std::array<std::array<double, 40>, 40> two{};

  explicit Frequencies(std::span<const FaceBits> faces) {
    const double share = 1 / static_cast<double>(faces.size());
    for (const FaceBits face : faces) {
      for (std::size_t k = 0; k < 40; ++k) {
        if (!has_attribute(face, k)) continue;
        one[k] += share;
        for (std::size_t j = 0; j < k; ++j) two[k][j] += has_attribute(face, j) ? share : 0;
      }
    }
  }
  double correlation(std::size_t k, std::size_t j) const {
    return (two[k][j] - one[k] * one[j]) / std::sqrt(one[k] * (1 - one[k]) * one[j] * (1 - one[j]));
  }
};

std::vector<FaceBits> drawn(std::size_t count) {
  const FaceAttributeModel model;
  Random random({.seed = 4}, "faces");
  std::vector<FaceBits> faces(count);
  for (FaceBits& face : faces) face = model.draw(random);
  return faces;
}

// Facts anybody can check on CelebA's list: Male 41.7 %, Young 77.4 %; lipstick goes with make-up, not with beards.
TEST(FaceAttributes, TheModelKnowsTheTable) {
  const Frequencies found(drawn(20000));
  EXPECT_NEAR(found.one[20], 0.417, 0.015);
  EXPECT_NEAR(found.one[39], 0.774, 0.015);
  EXPECT_GT(found.correlation(36, 18), 0.5);
  EXPECT_LT(found.correlation(36, 20), -0.5);
  EXPECT_LT(found.correlation(24, 16), -0.2);
}

TEST(FaceAttributes, TheModelAgreesWithTheRealTable) {
  PARETOFL_NEEDS_DATA("celeba/attr_bits.bin.xz");
  const auto file = data_folder() / "celeba" / "attr_bits.bin.xz";
  const auto table = parse_packed_attributes(decompress_xz(read_bytes(file, 1 << 24), 1 << 24, "table"), "table");
  EXPECT_EQ(table.size(), 202599U);
  const Frequencies real(table), model(drawn(40000));
  double squares = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_NEAR(model.one[k], real.one[k], 0.01) << kFaceAttributeNames[k];
    for (std::size_t j = 0; j < k; ++j) squares += std::pow(model.correlation(k, j) - real.correlation(k, j), 2) / 780;
  }
  EXPECT_LT(std::sqrt(squares), 0.08);
}

TEST(FaceAttributes, PackedRowsAreFiveBytes) {
  const std::vector<std::uint8_t> bytes = {1, 0, 0, 0, 0x80, 0, 2, 0, 0, 0};
  EXPECT_THAT(parse_packed_attributes(bytes, "x"), ElementsAre((FaceBits{1} << 39) + 1, FaceBits{1} << 9));
  EXPECT_THAT([&] { parse_packed_attributes(std::span(bytes).first(9), "x.bin"); },
              ThrowsMessage<Error>(HasSubstr("x.bin: expected rows of 5 bytes, found 9 bytes")));
  EXPECT_THROW(parse_packed_attributes({}, "x"), Error);
}

TEST(FaceAttributes, LabelsAreClassesOrGroups) {
  // Arched_Eyebrows, Blond_Hair, Attractive, Male
  const std::vector<FaceBits> faces = {FaceBits{1} << 1 | FaceBits{1} << 9, FaceBits{1} << 2 | FaceBits{1} << 20, 0};
  ImageDataset images;
  images.count = 3;
  set_face_labels(faces, 3, false, images);
  EXPECT_THAT(images.objectives, ElementsAre("5_o_Clock_Shadow", "Arched_Eyebrows", "Attractive"));
  EXPECT_THAT(images.labels[1], ElementsAre(1, 0, 0));
  EXPECT_THAT(images.strata, ElementsAre(0, 6, 0));
  set_face_labels(faces, 40, true, images);
  ASSERT_EQ(images.heads.size(), 5U);
  EXPECT_EQ(images.heads[4], (Head{.outputs = 8, .loss = Loss::kBinary}));
  EXPECT_THAT(images.labels,
              ElementsAre(ElementsAre(2, 0, 0), ElementsAre(1, 0, 0), ElementsAre(0, 1, 0), ElementsAre(0, 32, 0), ElementsAre(0, 0, 0)));
  EXPECT_THROW(set_face_labels(faces, 41, false, images), Error);
  EXPECT_THROW(set_face_labels(std::span(faces).first(2), 3, false, images), Error);
}

// Every attribute is in exactly one group.
TEST(FaceAttributes, GroupsPartitionTheAttributes) {
  FaceBits seen = 0;
  for (const auto& group : kFaceAttributeGroups) {
    for (const std::size_t attribute : group) {
      EXPECT_FALSE(has_attribute(seen, attribute));
      seen |= FaceBits{1} << attribute;
    }
  }
  EXPECT_EQ(seen, (FaceBits{1} << 40) - 1);
}

std::vector<std::uint8_t> xz(std::string_view text) {
  std::vector<std::uint8_t> packed(200);
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    packed.data(), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

TEST(XzFile, ReadsSeveralStreamsAsOne) {
  std::vector<std::uint8_t> packed = xz("one file ");
  const std::vector<std::uint8_t> rest = xz("of two");
  packed.insert(packed.end(), rest.begin(), rest.end());
  const auto text = decompress_xz(packed, 15, "x.xz");
  EXPECT_EQ(std::string(text.begin(), text.end()), "one file of two");
  EXPECT_THAT([&] { decompress_xz(packed, 14, "x.xz"); }, ThrowsMessage<Error>(HasSubstr("x.xz: expected at most 14 bytes")));
  packed.pop_back();
  EXPECT_THAT([&] { decompress_xz(packed, 100, "x.xz"); }, ThrowsMessage<Error>(HasSubstr("x.xz: expected intact .xz streams")));
}

TEST(XzFile, RefusesWhatIsNoXz) {
  const std::vector<std::uint8_t> bytes = {0xfd, '7', 'z', 'X', 'Z', 0, 0, 4, 1, 2};
  EXPECT_THAT([&] { decompress_xz(bytes, 100000, "x.xz"); }, ThrowsMessage<Error>(HasSubstr("x.xz: expected")));
  EXPECT_THROW(decompress_xz({}, 100, "x.xz"), Error);
}

// An intact header that announces a dictionary of 4 GiB.
TEST(XzFile, RefusesHugeDictionaries) {
  const std::vector<std::uint8_t> bytes = {0xfd, '7', 'z', 'X', 'Z', 0, 0, 4, 0xe6, 0xd6, 0xb4, 0x46,   // stream
                                           2,    0,   33,  1,   40,  0, 0, 0, 0xe6, 0xa0, 0x11, 0xb3};  // block
  EXPECT_THAT([&] { decompress_xz(bytes, 100000, "x.xz"); },
              ThrowsMessage<Error>(HasSubstr("x.xz: expected an .xz stream that takes at most 134217728 bytes of memory")));
}

}  // namespace
}  // namespace paretofl
