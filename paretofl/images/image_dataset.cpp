#include "paretofl/images/image_dataset.h"

#include <algorithm>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {

void ImageDataset::check(const std::string& what) const {
  expect(count > 0 && image_size() > 0, "{}: expected at least one image of at least one pixel, found {} of {} x {} x {}", what, count,
         channels, height, width);
  expect(pixels.size() == count * image_size(), "{}: expected {} pixels, found {}", what, count * image_size(), pixels.size());
  expect(!objectives.empty() && heads.size() == objectives.size() && labels.size() == objectives.size(),
         "{}: expected heads and labels for each of {} objectives, found {} and {}", what, objectives.size(), heads.size(), labels.size());
  for (std::size_t m = 0; m < objectives.size(); ++m) {
    expect(labels[m].size() == count, "{}: expected {} labels of '{}', found {}", what, count, objectives[m], labels[m].size());
    const std::size_t largest = *std::max_element(labels[m].begin(), labels[m].end());
    expect(largest < heads[m].label_values(), "{}: expected labels of '{}' below {}, found {}", what, objectives[m],
           heads[m].label_values(), largest);
  }
  expect(strata.empty() || strata.size() == count, "{}: expected a stratum for each of {} images, found {}", what, count, strata.size());
}

std::vector<std::uint32_t> joint_labels(const ImageDataset& dataset) {
  std::uint64_t combinations = 1;
  for (const Head& head : dataset.heads) {
    combinations *= head.label_values();
    expect(combinations <= std::numeric_limits<std::uint32_t>::max(),
           "joint labels: expected fewer than 2^32 combinations of {} objectives' labels", dataset.heads.size());
  }
  std::vector<std::uint32_t> joint(dataset.count, 0);
  for (std::size_t m = 0; m < dataset.labels.size(); ++m) {
    const auto values = static_cast<std::uint32_t>(dataset.heads[m].label_values());
    for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = joint[i] * values + dataset.labels[m][i];
  }
  return joint;
}

}  // namespace paretofl
