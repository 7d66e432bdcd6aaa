#include "paretofl/images/labelled_image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A kind of images of 2 x 1 x 2 with a class of three and an attribute.
ImageDataset image_kind() {
  ImageDataset kind;
  kind.channels = 2;
  kind.height = 1;
  kind.width = 2;
  kind.objectives = {"class", "attribute"};
  kind.heads = {{.outputs = 3}, {.outputs = 1, .loss = Loss::kBinary}};
  return kind;
}

class LabelledImageFiles : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::vector<std::uint32_t>& images, const std::vector<std::uint32_t>& labels, std::uint8_t label = 1) const {
    const auto size = [](const std::vector<std::uint32_t>& shape) {
      std::size_t count = 1;
      for (const std::uint32_t extent : shape) count *= extent;
      return count;
    };
    write_bytes(folder_ / "train-images.idx", idx_bytes(images, Bytes(size(images))));
    write_bytes(folder_ / "train-labels.idx", idx_bytes(labels, Bytes(size(labels), label)));
  }
  void expect_refused(const std::string& message) const {
    EXPECT_THAT([&] { read_labelled_images(image_kind(), folder_, "train", 2, "some.option"); }, ThrowsMessage<Error>(HasSubstr(message)));
  }

  std::filesystem::path folder_ = empty_folder("labelled_image_files");
};

TEST_F(LabelledImageFiles, AreReadAsTheyWereWritten) {
  ImageDataset data = image_kind();
  data.count = 3;
  data.pixels = {0, 1, 2, 3, 10, 11, 12, 13, 255, 254, 253, 252};
  data.labels = {{0, 1, 2}, {1, 0, 1}};
  const std::vector<std::uint32_t> samples = {2, 0};
  EXPECT_FALSE(has_labelled_images(folder_, "train"));
  write_labelled_images(data, samples, folder_, "train");
  EXPECT_TRUE(has_labelled_images(folder_, "train"));
  const ImageDataset found = read_labelled_images(image_kind(), folder_, "train", 2, "some.option");
  EXPECT_EQ(found.count, 2U);
  EXPECT_THAT(found.pixels, testing::ElementsAre(255, 254, 253, 252, 0, 1, 2, 3));
  EXPECT_THAT(found.labels, testing::ElementsAre(testing::ElementsAre(2, 0), testing::ElementsAre(1, 1)));
}

TEST_F(LabelledImageFiles, WhatDoesNotFitIsRefused) {
  write({2, 2, 1, 2}, {2, 2});
  EXPECT_EQ(read_labelled_images(image_kind(), folder_, "train", 2, "some.option").count, 2U);
  write({2, 1, 2, 2}, {2, 2});
  expect_refused("train-images.idx: expected images of 2 x 1 x 2 (channels, rows, columns), found 1 x 2 x 2");
  write({2, 2, 1, 2}, {3, 2});
  expect_refused("train-labels.idx: expected labels of 2 images and 2 objectives, found 3 x 2");
  write({2, 2, 1, 2}, {2, 1});
  expect_refused("train-labels.idx: expected labels of 2 images and 2 objectives, found 2 x 1");
  write({3, 2, 1, 2}, {3, 2});
  expect_refused("train-images.idx: expected at most 2 images (some.option), found 3");
  write({2, 2, 1, 2}, {2, 2}, 3);
  expect_refused("train-labels.idx: expected labels of 'class' below 3, found 3");
  write({2, 2, 1, 2}, {2, 2}, 2);
  expect_refused("train-labels.idx: expected labels of 'attribute' below 2, found 2");
  std::filesystem::remove(folder_ / "train-labels.idx");
  EXPECT_TRUE(has_labelled_images(folder_, "train"));
  expect_refused("train-labels.idx");
}

}  // namespace
}  // namespace paretofl
