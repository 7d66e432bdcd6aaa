#pragma once

#include <functional>

#include "paretofl/images/augmentation.h"

namespace paretofl {

/// The parts of a data set, and how its images become network inputs.
struct ImageSplits {
  ImageDataset train;
  ImageDataset test;
  Augmentation augmentation;
  ImageDataset validation = {};      ///< published as such; without images where there is none
  bool same_for_every_seed = false;  ///< the images; how they are dealt to clients depends on the seed all the same
  /// Where reading all of train's images would take long: `train` has no pixels, and this returns those of the samples
  /// that are in use, [n, C, H, W].
  std::function<std::vector<std::uint8_t>(std::span<const std::uint32_t> samples)> read_train = {};
};

}  // namespace paretofl
