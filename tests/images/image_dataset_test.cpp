#include "paretofl/images/image_dataset.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

ImageDataset small() {
  ImageDataset images;
  images.count = 2;
  images.channels = 2;
  images.height = 1;
  images.width = 3;
  images.pixels = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  images.objectives = {"a", "b"};
  images.heads = {{.outputs = 4, .loss = Loss::kNll}, {.outputs = 10, .loss = Loss::kNll}};
  images.labels = {{1, 3}, {9, 0}};
  return images;
}

TEST(ImageDataset, GivesImagesInOrder) {
  const ImageDataset images = small();
  EXPECT_NO_THROW(images.check("small"));
  EXPECT_EQ(images.image_size(), 6U);
  EXPECT_THAT(images.image(1), ElementsAre(6, 7, 8, 9, 10, 11));
}

TEST(ImageDataset, JointLabelsReadLikeDigits) { EXPECT_THAT(joint_labels(small()), ElementsAre(19, 30)); }

TEST(ImageDataset, JointLabelsMustFit32Bits) {
  ImageDataset images = small();
  images.objectives.assign(10, "x");
  images.heads.assign(10, {.outputs = 10, .loss = Loss::kNll});
  images.labels.assign(10, {0, 1});
  EXPECT_THROW(joint_labels(images), Error);
}

TEST(ImageDataset, ChecksItsFields) {
  const auto broken = [](auto change) {
    ImageDataset images = small();
    change(images);
    return images;
  };
  EXPECT_THROW(broken([](ImageDataset& d) { d.count = 0; }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.pixels.pop_back(); }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.labels.pop_back(); }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.heads.pop_back(); }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.labels[1].pop_back(); }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.labels[0][1] = 4; }).check("x"), Error);
  EXPECT_THROW(broken([](ImageDataset& d) { d.strata = {1}; }).check("x"), Error);
}

// Two attributes make four labels.
TEST(ImageDataset, LabelsOfBinaryHeadsAreBits) {
  ImageDataset images = small();
  images.heads[0] = {.outputs = 2, .loss = Loss::kBinary};
  EXPECT_NO_THROW(images.check("bits"));
  EXPECT_THAT(joint_labels(images), ElementsAre(19, 30));
  images.labels[0][0] = 4;
  EXPECT_THROW(images.check("bits"), Error);
}

}  // namespace
}  // namespace paretofl
