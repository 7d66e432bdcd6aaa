#pragma once

#include "paretofl/data/partition.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// How unequal the clients are: means over clients.
struct PartitionStatistics {
  double joint_labels = 0;         ///< number of different joint labels
  double largest_joint_share = 0;  ///< share of the most frequent joint label
  double largest_label_share = 0;  ///< share of the most frequent label of one objective, mean over objectives
};
PartitionStatistics partition_statistics(const ImageDataset& dataset, const Partition& partition);

}  // namespace paretofl
