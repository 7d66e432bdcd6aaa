#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// How pixel bytes become network inputs. The defaults are those of the digit sets.
struct Augmentation {
  std::vector<double> mean = {0.1307};  ///< on the scale 0 to 1, one for each channel or one for all
  std::vector<double> std = {0.3081};
  double degrees = 25;          ///< rotations are drawn uniformly from [-degrees, degrees)
  bool whole_degrees = false;   ///< they are whole numbers of degrees, -degrees and degrees included
  bool nearest = false;         ///< a rotated pixel is the nearest one, not bilinear
  double flip_probability = 0;  ///< of mirroring the whole batch left to right
};

/// Writes the samples as (pixel / 255 - mean) / std, [samples.size(), C, H, W]. With `random`, each is
/// rotated by an angle of its own, drawn in the order of the list, and after that the batch may be mirrored;
/// without (evaluation), it stays as it is.
///
/// The rotation is about the image's centre with pixel centres at whole numbers, counter-clockwise as
/// displayed for positive angles, and takes what lies outside as 0 after normalization: corners become 0,
/// where a digit's black is -mean / std = -0.424.
///
/// Throws Error unless out has the size above, samples are in range, there are as many means and stds as said,
/// std > 0, degrees >= 0 and flip_probability is in [0, 1]. Reentrant; allocates only on a thread's first calls.
void write_inputs(const ImageDataset& dataset, std::span<const std::uint32_t> samples, const Augmentation& augmentation, Random* random,
                  std::span<float> out);

}  // namespace paretofl
