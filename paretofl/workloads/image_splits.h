#pragma once

#include "paretofl/workloads/augmentation.h"

namespace paretofl {

/// The two parts of a data set, and how its images become network inputs.
struct ImageSplits {
  ImageDataset train;
  ImageDataset test;
  Augmentation augmentation;
};

}  // namespace paretofl
