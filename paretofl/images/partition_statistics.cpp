#include "paretofl/images/partition_statistics.h"

#include <algorithm>
#include <map>

namespace paretofl {
namespace {

double largest_share(std::span<const std::uint32_t> samples, std::span<const std::uint32_t> labels,
                     std::map<std::uint32_t, std::size_t>& counts) {
  counts.clear();
  std::size_t largest = 0;
  for (const std::uint32_t sample : samples) largest = std::max(largest, ++counts[labels[sample]]);
  return static_cast<double>(largest) / static_cast<double>(samples.size());
}

}  // namespace

PartitionStatistics partition_statistics(const ImageDataset& dataset, const Partition& partition) {
  const std::vector<std::uint32_t> joint = joint_labels(dataset);
  std::vector<std::vector<std::uint32_t>> labels;
  for (const auto& objective : dataset.labels) labels.emplace_back(objective.begin(), objective.end());
  PartitionStatistics mean;
  std::map<std::uint32_t, std::size_t> counts;
  for (std::size_t id = 0; id < partition.clients(); ++id) {
    mean.largest_joint_share += largest_share(partition.client(id), joint, counts);
    mean.joint_labels += static_cast<double>(counts.size());
    for (const auto& objective : labels) {
      mean.largest_label_share += largest_share(partition.client(id), objective, counts) / static_cast<double>(labels.size());
    }
  }
  const auto clients = static_cast<double>(partition.clients());
  return {mean.joint_labels / clients, mean.largest_joint_share / clients, mean.largest_label_share / clients};
}

}  // namespace paretofl
