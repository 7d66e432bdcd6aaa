#include "paretofl/images/glyph_images.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr GlyphStyle kPlain{.distortion = 0, .noise = 0};

Random stream(std::uint64_t seed = 1) { return Random({.seed = seed}, "glyphs"); }

TEST(GlyphImages, AreTwoObjectivesOfTenClasses) {
  const ImageDataset images = draw_glyphs(20, {}, stream());
  EXPECT_NO_THROW(images.check("glyphs"));
  EXPECT_EQ(images.image_size(), 784U);
  EXPECT_EQ(images.objectives, (std::vector<std::string>{"left", "right"}));
}

TEST(GlyphImages, AnImageIsTheSameWhateverTheCount) {
  const ImageDataset few = draw_glyphs(7, {}, stream()), many = draw_glyphs(50, {}, stream());
  for (std::size_t i = 0; i < few.count; ++i) {
    EXPECT_TRUE(std::ranges::equal(few.image(i), many.image(i)));
    EXPECT_EQ(few.labels[0][i], many.labels[0][i]);
    EXPECT_EQ(few.labels[1][i], many.labels[1][i]);
  }
  EXPECT_NE(few.pixels, draw_glyphs(7, {}, stream(2)).pixels);
}

TEST(GlyphImages, NoTwoImagesAreAlike) {
  const ImageDataset images = draw_glyphs(2000, {}, stream());
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < images.count; ++i) distinct.emplace(images.image(i).begin(), images.image(i).end());
  EXPECT_EQ(distinct.size(), images.count);
}

TEST(GlyphImages, LabelsAreUniformAndIndependent) {
  const std::size_t count = 5000;
  const std::vector<std::uint32_t> joint = joint_labels(draw_glyphs(count, kPlain, stream()));
  std::array<double, 100> counts{};
  for (const auto label : joint) ++counts[label];
  double chi_squared = 0;
  for (const double found : counts) chi_squared += (found - count / 100.0) * (found - count / 100.0) / (count / 100.0);
  EXPECT_LT(chi_squared, 99 + 4 * std::sqrt(2 * 99.0));
  EXPECT_GT(chi_squared, 99 - 4 * std::sqrt(2 * 99.0));
}

// Undistorted, an image is a function of its two labels, and each label owns its side.
TEST(GlyphImages, LabelsSayWhatIsDrawn) {
  const ImageDataset images = draw_glyphs(1500, kPlain, stream());
  using Half = std::string;
  std::array<std::map<int, Half>, 2> sides;
  for (std::size_t i = 0; i < images.count; ++i) {
    std::array<Half, 2> halves;
    for (std::size_t p = 0; p < 784; ++p) {
      // Columns 11 to 16 may belong to both.
      if (p % 28 < 11) halves[0].push_back(static_cast<char>(images.image(i)[p]));
      if (p % 28 > 16) halves[1].push_back(static_cast<char>(images.image(i)[p]));
    }
    for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(sides[m].emplace(images.labels[m][i], halves[m]).first->second, halves[m]);
  }
  for (const auto& side : sides) {
    ASSERT_EQ(side.size(), 10U);
    std::set<Half> distinct;
    for (const auto& [label, half] : side) distinct.insert(half);
    EXPECT_EQ(distinct.size(), 10U);
  }
}

std::int64_t squared_distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0}, std::plus(), [](int p, int q) { return (p - q) * (p - q); });
}

// The nearest of the undistorted images has the right labels far more often than chance.
TEST(GlyphImages, DistortedDigitsStayRecognizable) {
  const ImageDataset templates = draw_glyphs(1500, kPlain, stream()),
                     images = draw_glyphs(200, {.distortion = 0.4, .noise = 0.1}, stream(2));
  std::size_t right = 0;
  for (std::size_t i = 0; i < images.count; ++i) {
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::size_t nearest = 0;
    for (std::size_t t = 0; t < templates.count; ++t) {
      const std::int64_t distance = squared_distance(images.image(i), templates.image(t));
      if (distance < best) {
        best = distance;
        nearest = t;
      }
    }
    for (std::size_t m = 0; m < 2; ++m) right += images.labels[m][i] == templates.labels[m][nearest];
  }
  EXPECT_GT(right, 280U) << "of 400";
}

TEST(GlyphImages, NoiseHasTheDeviationAskedFor) {
  const GlyphStyle noisy{.distortion = 0, .noise = 0.1};
  const ImageDataset clean = draw_glyphs(400, kPlain, stream()), images = draw_glyphs(400, noisy, stream());
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (std::size_t p = 0; p < clean.pixels.size(); ++p) {
    if (clean.pixels[p] < 90 || clean.pixels[p] > 160) continue;  // where nothing is clamped
    const double difference = (images.pixels[p] - clean.pixels[p]) / 255.0;
    sum += difference;
    squares += difference * difference;
    ++count;
  }
  ASSERT_GT(count, 1000U);
  EXPECT_NEAR(sum / static_cast<double>(count), 0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count)), 0.1, 0.01);
}

TEST(GlyphImages, RefusesNonsense) {
  EXPECT_THROW(draw_glyphs(0, {}, stream()), Error);
  EXPECT_THROW(draw_glyphs(1, {.distortion = -1}, stream()), Error);
  EXPECT_THROW(draw_glyphs(1, {.distortion = 3}, stream()), Error);
  EXPECT_THROW(draw_glyphs(1, {.noise = 2}, stream()), Error);
  EXPECT_THROW(draw_glyphs(1, {.noise = std::nan("")}, stream()), Error);
}

}  // namespace
}  // namespace paretofl
