#pragma once

#include <span>

#include "paretofl/core/random.h"
#include "paretofl/images/face_attributes.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// Draws a 32x32 colour picture of a face for each row of attributes; each of the 40 shows somewhere (Attractive as a
/// catchlight in the eyes and even skin, Young as skin without lines). What differs besides: position, size and tilt
/// of the face, background, skin, clothes, light from one side, and pixel noise of standard deviation `noise` on the
/// scale 0 to 1. Image i comes from random.substream("face", i). No labels are set. Throws Error without faces or
/// unless noise is in [0, 1].
ImageDataset draw_faces(std::span<const FaceBits> faces, double noise, const Random& random);

}  // namespace paretofl
