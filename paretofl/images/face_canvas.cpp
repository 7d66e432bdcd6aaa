#include "paretofl/images/face_canvas.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

Colour mix(const Colour& a, const Colour& b, float share_of_b) {
  Colour mixed{};
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = a[c] + share_of_b * (b[c] - a[c]);
  return mixed;
}

FaceCanvas::FaceCanvas(const Pose& pose, const Colour& background) : pose_(pose) {
  for (std::size_t c = 0; c < 3; ++c) planes_[c].fill(background[c]);
}

void FaceCanvas::paint(const std::function<float(float, float)>& distance, const Colour& colour, float opacity) {
  constexpr float kMiddle = 0.5F * (kSide - 1);
  const float cosine = std::cos(pose_.radians) / pose_.scale, sine = std::sin(pose_.radians) / pose_.scale;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const float u = static_cast<float>(column) - kMiddle - pose_.x, v = static_cast<float>(row) - kMiddle - pose_.y;
      const float cover = opacity * std::clamp(0.5F - distance(cosine * u + sine * v, cosine * v - sine * u), 0.0F, 1.0F);
      if (cover <= 0) continue;
      const int i = row * kSide + column;
      for (std::size_t c = 0; c < 3; ++c) {
        float& value = planes_[c][static_cast<std::size_t>(i)];
        value += cover * (colour[c] - value);
      }
    }
  }
}

void FaceCanvas::ellipse(float x, float y, float width, float height, const Colour& colour, float opacity) {
  paint(
      [=](float u, float v) {
        const float a = (u - x) / width, b = (v - y) / height;
        return (std::sqrt(a * a + b * b) - 1) * std::min(width, height);
      },
      colour, opacity);
}

void FaceCanvas::line(float x1, float y1, float x2, float y2, float thickness, const Colour& colour, float opacity, float bend) {
  const float dx = x2 - x1, dy = y2 - y1;
  const float scale = 1 / std::max(dx * dx + dy * dy, 1e-6F);
  paint(
      [=](float u, float v) {
        const float along = std::clamp(((u - x1) * dx + (v - y1) * dy) * scale, 0.0F, 1.0F);
        const float off_x = u - x1 - along * dx, off_y = v - y1 - along * dy - 4 * bend * along * (1 - along);
        return std::sqrt(off_x * off_x + off_y * off_y) - thickness / 2;
      },
      colour, opacity);
}

void FaceCanvas::blur() {
  for (auto& plane : planes_) {
    const auto before = plane;
    for (int i = 0; i < kSide * kSide; ++i) {
      float sum = 0;
      int count = 0;
      for (int y = std::max(0, i / kSide - 1); y <= std::min(kSide - 1, i / kSide + 1); ++y) {
        for (int x = std::max(0, i % kSide - 1); x <= std::min(kSide - 1, i % kSide + 1); ++x, ++count) {
          const int at = y * kSide + x;
          sum += before[static_cast<std::size_t>(at)];
        }
      }
      plane[static_cast<std::size_t>(i)] = sum / static_cast<float>(count);
    }
  }
}

}  // namespace paretofl
