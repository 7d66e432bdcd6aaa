#include "paretofl/images/image_resize.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

Bytes resized(const Bytes& in, std::size_t height, std::size_t width, std::size_t out_height, std::size_t out_width,
              std::size_t channels = 1) {
  Bytes out(channels * out_height * out_width);
  resize_bilinear(in, height, width, channels, out, out_height, out_width);
  return out;
}

Bytes random_pixels(std::size_t count) {
  Random random({.seed = 5}, "pixels");
  Bytes pixels(count);
  for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(random.below(256));
  return pixels;
}

TEST(ImageResize, KeepsSameSizedAndPlainImages) {
  const Bytes pixels = random_pixels(6 * 7);
  EXPECT_EQ(resized(pixels, 6, 7, 6, 7), pixels);
  for (const int value : {0, 1, 128, 255}) {
    EXPECT_EQ(resized(Bytes(218 * 178, static_cast<std::uint8_t>(value)), 218, 178, 32, 32), Bytes(1024, value)) << value;
    EXPECT_EQ(resized(Bytes(4, static_cast<std::uint8_t>(value)), 2, 2, 9, 5), Bytes(45, value)) << value;
  }
}

TEST(ImageResize, AveragesWithFallingWeights) {
  EXPECT_EQ(resized({0, 255}, 1, 2, 1, 1), (Bytes{128}));
  EXPECT_EQ(resized({0, 100}, 1, 2, 1, 4), (Bytes{0, 25, 75, 100}));
  // Half the size: each output takes four pixels with weights 1, 3, 3, 1 of 8, but 3, 3, 1 of 7 at the border.
  EXPECT_EQ(resized({70, 0, 0, 80, 0, 0, 0, 0}, 1, 8, 1, 4), (Bytes{30, 30, 10, 0}));
}

// Stripes finer than the output's pixels turn grey instead of making patterns.
TEST(ImageResize, MakesNoAliases) {
  Bytes stripes(100 * 100);
  for (std::size_t i = 0; i < stripes.size(); ++i) stripes[i] = i % 2 == 0 ? 0 : 255;
  for (const int pixel : resized(stripes, 100, 100, 17, 17)) EXPECT_NEAR(pixel, 127.5, 10);
}

TEST(ImageResize, TreatsEachPlaneAndBothDirectionsAlike) {
  const Bytes a = random_pixels(20 * 30);
  Bytes both = a, turned(a.size()), mirrored(a.size());
  both.insert(both.end(), a.rbegin(), a.rend());
  for (std::size_t y = 0; y < 20; ++y) {
    for (std::size_t x = 0; x < 30; ++x) mirrored[(19 - y) * 30 + 29 - x] = a[y * 30 + x];
  }
  const Bytes one = resized(a, 20, 30, 7, 11), two = resized(both, 20, 30, 7, 11, 2), back = resized(mirrored, 20, 30, 7, 11);
  EXPECT_TRUE(std::equal(one.begin(), one.end(), two.begin()));
  EXPECT_TRUE(std::equal(back.begin(), back.end(), two.begin() + static_cast<std::ptrdiff_t>(one.size())));
  EXPECT_TRUE(std::equal(one.rbegin(), one.rend(), back.begin()));
}

// Pillow 13.0's answers.
TEST(ImageResize, AgreesWithPillow) {
  const auto pattern = [](std::size_t count) {
    Bytes pixels(count);
    for (std::size_t i = 0; i < count; ++i) pixels[i] = static_cast<std::uint8_t>(i * i * 7 + i * 13);
    return pixels;
  };
  EXPECT_EQ(resized(pattern(63), 7, 9, 3, 4), (Bytes{110, 120, 141, 163, 145, 122, 138, 123, 117, 145, 136, 139}));
  const Bytes small = resized(pattern(218 * 178), 218, 178, 32, 32);
  std::size_t sum = 0, weighted = 0;
  for (std::size_t i = 0; i < small.size(); ++i) {
    sum += small[i];
    weighted += small[i] * (i + 1);
  }
  EXPECT_EQ(sum, 130031U);
  EXPECT_EQ(weighted, 66638602U);
}

TEST(ImageResize, RefusesOtherSizes) {
  Bytes in(12), out(4);
  EXPECT_THAT(
      [&] { resize_bilinear(in, 3, 4, 1, out, 3, 2); },
      testing::ThrowsMessage<Error>("resize: expected 1 x 3 x 4 pixels in and 1 x 3 x 2 out, at least one of each, found 12 and 4"));
  EXPECT_THROW(resize_bilinear(in, 3, 3, 1, out, 2, 2), Error);
  EXPECT_THROW(resize_bilinear({}, 0, 4, 1, out, 2, 2), Error);
  EXPECT_THROW(resize_bilinear(in, 3, 4, 1, std::span<std::uint8_t>(), 0, 2), Error);
}

}  // namespace
}  // namespace paretofl
