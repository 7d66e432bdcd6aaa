#include "paretofl/images/face_images.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr FaceBits kNoBeard = FaceBits{1} << 24;

TEST(FaceImages, AreTheSameForTheSameSeedWhateverTheirNumber) {
  const std::vector<FaceBits> faces(6, kNoBeard);
  const Random random({.seed = 1}, "faces"), other({.seed = 2}, "faces");
  const ImageDataset all = draw_faces(faces, 0.1, random), two = draw_faces(std::span(faces).first(2), 0.1, random);
  EXPECT_EQ(all.count, 6U);
  EXPECT_EQ(all.image_size(), 3072U);
  EXPECT_TRUE(std::equal(two.pixels.begin(), two.pixels.end(), all.pixels.begin()));
  EXPECT_NE(draw_faces(faces, 0.1, other).pixels, all.pixels);
  EXPECT_FALSE(std::equal(all.image(0).begin(), all.image(0).end(), all.image(1).begin()));
}

// Flipping an attribute of a face changes its picture, but where something else covers it.
TEST(FaceImages, EveryAttributeShows) {
  constexpr std::size_t kFaces = 150;
  const FaceAttributeModel model;
  const Random random({.seed = 1}, "faces");
  Random rows({.seed = 3}, "rows");
  std::vector<FaceBits> faces(kFaces);
  for (FaceBits& face : faces) face = model.draw(rows);
  for (std::size_t attribute = 0; attribute < kFaceAttributes; ++attribute) {
    std::vector<FaceBits> with = faces, without = faces;
    for (FaceBits& face : with) face |= FaceBits{1} << attribute;
    for (FaceBits& face : without) face &= ~(FaceBits{1} << attribute);
    const ImageDataset a = draw_faces(with, 0, random), b = draw_faces(without, 0, random);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < kFaces; ++i) changed += std::equal(a.image(i).begin(), a.image(i).end(), b.image(i).begin()) ? 0 : 1;
    EXPECT_GT(changed, kFaces * 9 / 10) << kFaceAttributeNames[attribute];
  }
}

TEST(FaceImages, RefusesNonsense) {
  const Random random({.seed = 1}, "faces");
  EXPECT_THROW(draw_faces({}, 0.1, random), Error);
  const std::vector<FaceBits> faces(1, 0);
  EXPECT_THROW(draw_faces(faces, -0.1, random), Error);
}

}  // namespace
}  // namespace paretofl
