#include "paretofl/images/glyph_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "paretofl/core/error.h"
#include "paretofl/images/glyph_font.h"

namespace paretofl {
namespace {

constexpr int kGlyphSide = 28;
constexpr float kGlyphWidth = 11, kGlyphHeight = 18;         // pixels, before distortion
constexpr std::array<float, 2> kCentersX = {8.75F, 18.25F};  // left and right digit
constexpr float kCenterY = 13.5F;
using Canvas = std::array<float, kGlyphSide * kGlyphSide>;

// Where a point of the unit square lies on the canvas, and how the pen draws.
struct Pose {
  std::array<float, 4> matrix{};
  GlyphPoint center;
  float radius = 0;
  float ink = 0;

  GlyphPoint at(GlyphPoint p) const {
    const float x = p.x - 0.5F, y = p.y - 0.5F;
    return {center.x + matrix[0] * x + matrix[1] * y, center.y + matrix[2] * x + matrix[3] * y};
  }
};

Pose draw_pose(float center_x, double distortion, Random& random) {
  const auto spread = [&](double range) { return static_cast<float>(random.uniform(-range, range) * distortion); };
  const float angle = spread(20) * std::numbers::pi_v<float> / 180;
  const float shear = spread(0.35);
  const float width = kGlyphWidth * std::exp(spread(0.25));
  const float height = kGlyphHeight * std::exp(spread(0.2));
  const float cosine = std::cos(angle), sine = std::sin(angle);
  Pose pose;
  // Rotation times shear times size.
  pose.matrix = {cosine * width, (cosine * shear - sine) * height, sine * width, (sine * shear + cosine) * height};
  pose.center.x = center_x + spread(1.75);
  pose.center.y = kCenterY + spread(2.5);
  pose.radius = 1.05F * std::exp(spread(0.35));
  pose.ink = 0.85F + spread(0.15);
  return pose;
}

// Lowers each pixel's squared distance to the segment from a to b, within `reach` of it.
void approach(Canvas& squared, GlyphPoint a, GlyphPoint b, float reach) {
  const auto low = [&](float u, float v) { return std::clamp(static_cast<int>(std::floor(std::min(u, v) - reach)), 0, kGlyphSide); };
  const auto high = [&](float u, float v) { return std::clamp(static_cast<int>(std::ceil(std::max(u, v) + reach)) + 1, 0, kGlyphSide); };
  const int first = low(a.x, b.x), last = high(a.x, b.x);
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float scale = 1 / std::max(dx * dx + dy * dy, 1e-12F);
  for (int y = low(a.y, b.y); y < high(a.y, b.y); ++y) {
    float* row = squared.data() + y * kGlyphSide;
    const float v = static_cast<float>(y) - a.y;
    for (int x = first; x < last; ++x) {
      const float u = static_cast<float>(x) - a.x;
      const float along = std::clamp((u * dx + v * dy) * scale, 0.0F, 1.0F);
      const float off_x = u - along * dx, off_y = v - along * dy;
      row[x] = std::min(row[x], off_x * off_x + off_y * off_y);
    }
  }
}

// Draws the digit with a round pen and a smooth edge one pixel wide, keeping the brighter value.
void draw_digit(int digit, const Pose& pose, Canvas& image) {
  constexpr float kFar = 1e4F;
  Canvas squared;
  squared.fill(kFar);
  for (const GlyphStroke& stroke : glyph_strokes(digit)) {
    GlyphPoint last = pose.at(stroke.front());
    for (const GlyphPoint& point : stroke) {
      const GlyphPoint next = pose.at(point);
      approach(squared, last, next, pose.radius + 0.5F);
      last = next;
    }
  }
  for (std::size_t i = 0; i < image.size(); ++i) {
    const float covered = std::clamp(pose.radius + 0.5F - std::sqrt(squared[i]), 0.0F, 1.0F);
    image[i] = std::max(image[i], pose.ink * covered);
  }
}

// Sum of four uniform bytes, centred and scaled to deviation 1: near enough to a normal, one draw a pixel.
float noise(Random& random) {
  const std::uint32_t word = random();
  const auto sum = static_cast<float>((word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24));
  constexpr float kDeviation = 147.8F;  // sqrt(4 (256^2 - 1) / 12)
  return (sum - 510) / kDeviation;
}

}  // namespace

ImageDataset draw_glyphs(std::size_t count, const GlyphStyle& style, const Random& random) {
  expect(count > 0, "glyphs: expected at least one image, found 0");
  expect(style.distortion >= 0 && style.distortion <= 2, "glyphs: expected a distortion from 0 to 2, found {}", style.distortion);
  expect(style.noise >= 0 && style.noise <= 1, "glyphs: expected noise from 0 to 1, found {}", style.noise);
  ImageDataset dataset;
  dataset.count = count;
  dataset.height = dataset.width = kGlyphSide;
  dataset.pixels.resize(count * kGlyphSide * kGlyphSide);
  dataset.objectives = {"left", "right"};
  dataset.heads.assign(2, {.outputs = 10, .loss = Loss::kNll});
  dataset.labels.assign(2, std::vector<std::uint8_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    Random draws = random.substream("image", i);
    Canvas image{};
    for (std::size_t m = 0; m < 2; ++m) {
      const auto digit = static_cast<std::uint8_t>(draws.below(10));
      dataset.labels[m][i] = digit;
      draw_digit(digit, draw_pose(kCentersX[m], style.distortion, draws), image);
    }
    const auto pixels = dataset.image(i);
    for (std::size_t p = 0; p < pixels.size(); ++p) {
      const float value = image[p] + static_cast<float>(style.noise) * noise(draws);
      pixels[p] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
    }
  }
  return dataset;
}

}  // namespace paretofl
