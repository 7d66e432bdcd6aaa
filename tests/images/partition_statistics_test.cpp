#include "paretofl/images/partition_statistics.h"

#include <gmock/gmock.h>

#include "paretofl/images/digit_composition.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

TEST(PartitionStatistics, ByHand) {
  ImageDataset images;
  images.count = 4;
  images.height = images.width = 1;
  images.pixels.resize(4);
  images.objectives = {"a", "b"};
  images.heads.assign(2, {.outputs = 3, .loss = Loss::kNll});
  images.labels = {{0, 0, 1, 2}, {0, 1, 1, 1}};
  const Partition partition{.samples_per_client = 2, .samples = {0, 1, 2, 2}};
  const PartitionStatistics statistics = partition_statistics(images, partition);
  EXPECT_DOUBLE_EQ(statistics.joint_labels, 1.5);
  EXPECT_DOUBLE_EQ(statistics.largest_joint_share, 0.75);
  EXPECT_DOUBLE_EQ(statistics.largest_label_share, (1 + 0.5 + 1 + 1) / 4.0);
}

// What the reference implementation's partition shows on these files.
TEST(PartitionStatistics, MatchTheReference) {
  PARETOFL_NEEDS_DATA("mnist");
  PARETOFL_NEEDS_DATA("fashion_mnist");
  const ImageDataset train = load_mnist_fmnist(data_folder(), 1).train;
  const PartitionStatistics statistics =
      partition_statistics(train, dirichlet_partition(joint_labels(train), {}, Random({.seed = 1}, "partition")));
  EXPECT_NEAR(statistics.joint_labels, 69, 2);
  EXPECT_NEAR(statistics.largest_joint_share, 0.10, 0.015);
  EXPECT_NEAR(statistics.largest_label_share, 0.20, 0.02);
  RecordProperty("joint_labels", std::to_string(statistics.joint_labels));
  RecordProperty("largest_joint_share", std::to_string(statistics.largest_joint_share));
  RecordProperty("largest_label_share", std::to_string(statistics.largest_label_share));
}

}  // namespace
}  // namespace paretofl
