#include "paretofl/workloads/image_dataset.h"

#include <algorithm>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {

void ImageDataset::check(const std::string& what) const {
  expect(count > 0 && image_size() > 0, "{}: expected at least one image of at least one pixel, found {} of {} x {} x {}", what, count,
         channels, height, width);
  expect(pixels.size() == count * image_size(), "{}: expected {} pixels, found {}", what, count * image_size(), pixels.size());
  expect(!objectives.empty() && classes.size() == objectives.size() && labels.size() == objectives.size(),
         "{}: expected classes and labels for each of {} objectives, found {} and {}", what, objectives.size(), classes.size(),
         labels.size());
  for (std::size_t m = 0; m < objectives.size(); ++m) {
    expect(labels[m].size() == count, "{}: expected {} labels of '{}', found {}", what, count, objectives[m], labels[m].size());
    const std::size_t largest = *std::max_element(labels[m].begin(), labels[m].end());
    expect(largest < classes[m], "{}: expected labels of '{}' below {}, found {}", what, objectives[m], classes[m], largest);
  }
}

std::vector<std::uint32_t> joint_labels(const ImageDataset& dataset) {
  std::uint64_t combinations = 1;
  for (const std::size_t classes : dataset.classes) {
    combinations *= classes;
    expect(combinations <= std::numeric_limits<std::uint32_t>::max(),
           "joint labels: expected fewer than 2^32 combinations of {} objectives' labels", dataset.classes.size());
  }
  std::vector<std::uint32_t> joint(dataset.count, 0);
  for (std::size_t m = 0; m < dataset.labels.size(); ++m) {
    const auto classes = static_cast<std::uint32_t>(dataset.classes[m]);
    for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = joint[i] * classes + dataset.labels[m][i];
  }
  return joint;
}

}  // namespace paretofl
