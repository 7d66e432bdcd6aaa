#pragma once

#include <span>
#include <vector>

namespace paretofl {

struct GlyphPoint {
  float x = 0;
  float y = 0;
};

/// One pen stroke: a line through these points.
using GlyphStroke = std::vector<GlyphPoint>;

/// The strokes of a digit, 0 to 9, in the unit square with y downwards. Throws Error for other numbers.
std::span<const GlyphStroke> glyph_strokes(int digit);

}  // namespace paretofl
