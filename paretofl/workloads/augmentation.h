#pragma once

#include <cstdint>
#include <span>

#include "paretofl/core/random.h"
#include "paretofl/workloads/image_dataset.h"

namespace paretofl {

/// How pixel bytes become network inputs.
struct Augmentation {
  double mean = 0.1307;  ///< of MNIST's training pixels on the scale 0 to 1
  double std = 0.3081;
  double degrees = 25;  ///< rotations are drawn uniformly from [-degrees, degrees)
};

/// Writes the samples as (pixel / 255 - mean) / std, [samples.size(), C, H, W]. With `random`, each is
/// rotated by an angle of its own, drawn in the order of the list; without (evaluation), none is.
///
/// The rotation is about the image's centre with pixel centres at whole numbers, counter-clockwise as
/// displayed for positive angles, bilinear, and takes what lies outside as 0 after normalization: corners
/// become 0, where black is -mean / std = -0.424.
///
/// Throws Error unless out has the size above, samples are in range, std > 0 and degrees >= 0. Reentrant;
/// allocates only on a thread's first calls.
void write_inputs(const ImageDataset& dataset, std::span<const std::uint32_t> samples, const Augmentation& augmentation, Random* random,
                  std::span<float> out);

}  // namespace paretofl
