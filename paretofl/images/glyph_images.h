#pragma once

#include <cstddef>

#include "paretofl/core/random.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// How hard the glyph images are. With the defaults and 12,000 images, the digit sets' LeNet reaches a
/// test accuracy of about 0.75 / 0.65 after 200 steps of SGD (batch 128, rate 0.5) and 0.95 / 0.94 after 400;
/// with noise 0.2, 0.91 / 0.86 after 400.
struct GlyphStyle {
  double distortion = 1;  ///< scales the ranges of rotation, shear, size, shift, stroke width and ink; 0 draws every digit alike
  double noise = 0.1;     ///< standard deviation of the pixel noise, on the scale 0 (black) to 1 (white)
};

/// Draws 28 x 28 grey images of two digits, one centred in each half, overlapping a little. Each digit
/// has its own random affine map, stroke width and ink. Objectives "left" and "right", 10 classes each,
/// the two labels independent and uniform. Image i comes from random.substream("image", i): it is the
/// same whatever the count. Throws Error unless count > 0, distortion is in [0, 2] and noise in [0, 1].
ImageDataset draw_glyphs(std::size_t count, const GlyphStyle& style, const Random& random);

}  // namespace paretofl
