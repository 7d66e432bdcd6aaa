#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace paretofl {

/// Red, green, blue on the scale 0 to 1.
using Colour = std::array<float, 3>;

Colour mix(const Colour& a, const Colour& b, float share_of_b);

/// A 32x32 colour picture that shapes are painted on, in coordinates of the face: (0, 0) is its middle, x to the right,
/// y down, and one unit is a pixel before the pose turns, moves and scales it.
class FaceCanvas {
 public:
  static constexpr int kSide = 32;

  struct Pose {
    float x = 0, y = 0;  ///< pixels from the middle of the picture
    float scale = 1;
    float radians = 0;
  };

  FaceCanvas(const Pose& pose, const Colour& background);

  /// Paints where distance(x, y), in units, is negative, with an edge one unit wide.
  void paint(const std::function<float(float, float)>& distance, const Colour& colour, float opacity = 1);
  void ellipse(float x, float y, float width, float height, const Colour& colour, float opacity = 1);
  /// A line with round ends from (x1, y1) to (x2, y2) that bends by `bend` units downwards in its middle.
  void line(float x1, float y1, float x2, float y2, float thickness, const Colour& colour, float opacity = 1, float bend = 0);
  void blur();

  std::span<const float> plane(std::size_t channel) const { return planes_[channel]; }

 private:
  Pose pose_;
  std::array<std::array<float, kSide * kSide>, 3> planes_;
};

}  // namespace paretofl
