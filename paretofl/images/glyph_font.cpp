#include "paretofl/images/glyph_font.h"

#include <array>
#include <cmath>
#include <numbers>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Builds one stroke piece by piece.
class Pen {
 public:
  Pen& to(float x, float y) {
    stroke_.push_back({x, y});
    return *this;
  }

  // An elliptic arc around (x, y); angles in degrees, 0 to the right, growing clockwise.
  Pen& arc(float x, float y, float radius_x, float radius_y, float from, float until) {
    constexpr float kDegreesPerPiece = 24;
    const int pieces = static_cast<int>(std::ceil(std::abs(until - from) / kDegreesPerPiece));
    for (int i = 0; i <= pieces; ++i) {
      const float angle = (from + (until - from) * static_cast<float>(i) / static_cast<float>(pieces)) * std::numbers::pi_v<float> / 180;
      to(x + radius_x * std::cos(angle), y + radius_y * std::sin(angle));
    }
    return *this;
  }

  // A quadratic Bezier curve from the last point, pulled towards (x1, y1).
  Pen& curve(float x1, float y1, float x2, float y2) {
    constexpr int kPieces = 8;
    const GlyphPoint start = stroke_.back();
    for (int i = 1; i <= kPieces; ++i) {
      const float t = static_cast<float>(i) / kPieces, s = 1 - t;
      to(s * s * start.x + 2 * s * t * x1 + t * t * x2, s * s * start.y + 2 * s * t * y1 + t * t * y2);
    }
    return *this;
  }

  GlyphStroke stroke() const { return stroke_; }

 private:
  GlyphStroke stroke_;
};

using Strokes = std::vector<GlyphStroke>;

std::array<Strokes, 10> design() {
  return {
      Strokes{Pen().arc(.5F, .5F, .4F, .48F, -90, 270).stroke()},
      Strokes{Pen().to(.26F, .24F).to(.56F, .02F).to(.56F, .98F).stroke()},
      Strokes{Pen().arc(.5F, .28F, .37F, .26F, 190, 395).to(.1F, .97F).to(.92F, .97F).stroke()},
      Strokes{Pen().arc(.46F, .26F, .35F, .24F, 200, 450).stroke(), Pen().arc(.46F, .74F, .42F, .24F, 270, 520).stroke()},
      Strokes{Pen().to(.7F, .98F).to(.7F, .02F).to(.08F, .68F).to(.94F, .68F).stroke()},
      Strokes{Pen().to(.86F, .03F).to(.24F, .03F).to(.18F, .5F).arc(.47F, .68F, .4F, .29F, 215, 510).stroke()},
      Strokes{Pen().to(.76F, .02F).curve(.18F, .2F, .14F, .7F).stroke(), Pen().arc(.5F, .7F, .36F, .28F, 180, 540).stroke()},
      Strokes{Pen().to(.1F, .03F).to(.9F, .03F).to(.4F, .98F).stroke()},
      Strokes{Pen().arc(.5F, .26F, .3F, .24F, 90, 450).stroke(), Pen().arc(.5F, .74F, .38F, .24F, -90, 270).stroke()},
      Strokes{Pen().arc(.5F, .3F, .36F, .28F, 0, 360).stroke(), Pen().to(.86F, .3F).curve(.84F, .76F, .34F, .98F).stroke()},
  };
}

}  // namespace

std::span<const GlyphStroke> glyph_strokes(int digit) {
  static const std::array<Strokes, 10> kFont = design();
  expect(digit >= 0 && digit <= 9, "glyphs: expected a digit from 0 to 9, found {}", digit);
  return kFont[static_cast<std::size_t>(digit)];
}

}  // namespace paretofl
