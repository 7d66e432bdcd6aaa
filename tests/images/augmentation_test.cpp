#include "paretofl/images/augmentation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

ImageDataset random_images(std::size_t count, std::size_t channels, std::size_t height, std::size_t width) {
  Random random({.seed = 9}, "test");
  ImageDataset images;
  images.count = count;
  images.channels = channels;
  images.height = height;
  images.width = width;
  images.pixels.resize(count * channels * height * width);
  for (auto& pixel : images.pixels) pixel = static_cast<std::uint8_t>(random.below(256));
  return images;
}

const Augmentation kDefault;

double normalized(double pixel) { return (pixel / 255 - kDefault.mean[0]) / kDefault.std[0]; }

std::vector<float> inputs(const ImageDataset& images, std::vector<std::uint32_t> samples, const Augmentation& augmentation,
                          Random* random) {
  std::vector<float> out(samples.size() * images.image_size(), 1e9F);
  write_inputs(images, samples, augmentation, random, out);
  return out;
}

// Bilinear rotation of the normalized image with zeros outside, straight from its definition.
std::vector<double> rotated(const ImageDataset& images, std::size_t sample, double degrees) {
  const auto height = static_cast<long>(images.height), width = static_cast<long>(images.width);
  const double cosine = std::cos(degrees * std::numbers::pi / 180), sine = std::sin(degrees * std::numbers::pi / 180);
  std::vector<double> out;
  for (std::size_t c = 0; c < images.channels; ++c) {
    const auto plane = images.image(sample).subspan(c * images.height * images.width);
    const auto at = [&](long y, long x) { return y < 0 || x < 0 || y >= height || x >= width ? 0.0 : normalized(plane[y * width + x]); };
    for (long i = 0; i < height; ++i) {
      for (long j = 0; j < width; ++j) {
        const double dx = j - (width - 1) / 2.0, dy = i - (height - 1) / 2.0;
        const double x = cosine * dx - sine * dy + (width - 1) / 2.0, y = sine * dx + cosine * dy + (height - 1) / 2.0;
        const long left = std::lround(std::floor(x)), top = std::lround(std::floor(y));
        const double fx = x - left, fy = y - top;
        out.push_back((1 - fy) * ((1 - fx) * at(top, left) + fx * at(top, left + 1)) +
                      fy * ((1 - fx) * at(top + 1, left) + fx * at(top + 1, left + 1)));
      }
    }
  }
  return out;
}

TEST(Augmentation, EvaluationOnlyNormalizes) {
  const ImageDataset images = random_images(5, 2, 7, 3);
  const auto out = inputs(images, {4, 0, 4}, kDefault, nullptr);
  const std::array<std::size_t, 3> order{4, 0, 4};
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out[i], normalized(images.image(order[i / 42])[i % 42]), 1e-6);
  }
}

TEST(Augmentation, RotatesByTheDefinition) {
  for (const auto& [channels, height, width] : {std::array{1, 28, 28}, std::array{3, 32, 32}, std::array{2, 5, 9}, std::array{1, 1, 1}}) {
    const ImageDataset images = random_images(6, channels, height, width);
    for (const double range : {25.0, 180.0}) {
      const Augmentation augmentation{.degrees = range};
      Random random({.seed = 2}, "angles"), angles({.seed = 2}, "angles");
      const auto out = inputs(images, {5, 1, 2, 2}, augmentation, &random);
      std::size_t next = 0;
      for (const std::size_t sample : {5, 1, 2, 2}) {
        for (const double expected : rotated(images, sample, angles.uniform(-range, range))) EXPECT_NEAR(out[next++], expected, 2e-4);
      }
    }
  }
}

// The corners of a black image become 0; what stays inside is the black of -0.424.
TEST(Augmentation, CornersAreZeroAfterNormalization) {
  ImageDataset images = random_images(1, 1, 28, 28);
  std::fill(images.pixels.begin(), images.pixels.end(), std::uint8_t{0});
  Random random({.seed = 2}, "angles");
  const auto out = inputs(images, std::vector<std::uint32_t>(50, 0), kDefault, &random);
  int zero_corners = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const float* image = out.data() + i * 784;
    EXPECT_NEAR(image[14 * 28 + 14], -0.42421, 1e-4);
    for (const std::size_t corner : {0, 27, 27 * 28, 27 * 28 + 27}) zero_corners += image[corner] == 0;
  }
  EXPECT_GT(zero_corners, 100);
}

TEST(Augmentation, ZeroDegreesIsTheEvaluation) {
  const ImageDataset images = random_images(3, 1, 28, 28);
  Random random({.seed = 2}, "angles");
  const auto still = inputs(images, {0, 1, 2}, {.degrees = 0}, &random);
  const auto plain = inputs(images, {0, 1, 2}, kDefault, nullptr);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(still[i], plain[i], 1e-5);
}

TEST(Augmentation, DrawsOneAnglePerImageWithinTheRange) {
  // One white pixel right of the centre: its centre of mass tells the angle.
  ImageDataset images = random_images(1, 1, 29, 29);
  std::fill(images.pixels.begin(), images.pixels.end(), std::uint8_t{0});
  images.pixels[14 * 29 + 24] = 255;
  Random random({.seed = 4}, "angles");
  const Augmentation plain{.mean = {0}, .std = {1}, .degrees = 25};
  const std::size_t count = 2000;
  const auto out = inputs(images, std::vector<std::uint32_t>(count, 0), plain, &random);
  double sum = 0, squares = 0;
  for (std::size_t n = 0; n < count; ++n) {
    double mass = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < 29 * 29; ++i) {
      const double value = out[n * 29 * 29 + i];
      mass += value;
      x += value * (static_cast<double>(i % 29) - 14);
      y += value * (static_cast<double>(i - i % 29) / 29 - 14);
    }
    const double angle = std::atan2(-y / mass, x / mass) * 180 / std::numbers::pi;  // upwards is counter-clockwise
    EXPECT_LT(std::abs(angle), 27);
    sum += angle;
    squares += angle * angle;
  }
  EXPECT_NEAR(sum / count, 0, 1.5);
  EXPECT_NEAR(std::sqrt(squares / count), 25 / std::sqrt(3.0), 1);
}

TEST(Augmentation, PositiveAnglesTurnCounterClockwise) {
  const ImageDataset images = random_images(1, 1, 9, 9);
  const auto quarter = rotated(images, 0, 90);
  for (std::size_t y = 0; y < 9; ++y) {
    for (std::size_t x = 0; x < 9; ++x) EXPECT_NEAR(quarter[(8 - x) * 9 + y], normalized(images.pixels[y * 9 + x]), 1e-9);
  }
}

TEST(Augmentation, NormalizesChannelByChannel) {
  const ImageDataset images = random_images(2, 3, 4, 5);
  const auto out = inputs(images, {1}, {.mean = {0.1, 0.2, 0.3}, .std = {1, 0.5, 0.25}}, nullptr);
  for (std::size_t i = 0; i < 60; ++i) {
    const auto c = static_cast<double>(i / 20);
    EXPECT_NEAR(out[i], (images.image(1)[i] / 255.0 - 0.1 * (c + 1)) / std::pow(0.5, c), 1e-5);
  }
}

// Each output pixel is the one nearest to where it comes from; angles are -2, -1, 0, 1 or 2 degrees.
TEST(Augmentation, NearestPixelsByWholeDegrees) {
  const ImageDataset images = random_images(1, 2, 31, 33);
  const Augmentation augmentation{.mean = {0}, .std = {1.0 / 255}, .degrees = 2.9, .whole_degrees = true, .nearest = true};
  Random random({.seed = 2}, "angles"), angles({.seed = 2}, "angles");
  const std::size_t count = 40;
  const auto out = inputs(images, std::vector<std::uint32_t>(count, 0), augmentation, &random);
  for (std::size_t n = 0; n < count; ++n) {
    const double radians = (static_cast<double>(angles.below(5)) - 2) * std::numbers::pi / 180;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < images.image_size(); ++i) {
      const double dx = static_cast<double>(i % 33) - 16, dy = static_cast<double>(i / 33 % 31) - 15;
      const long x = std::lround(std::cos(radians) * dx - std::sin(radians) * dy) + 16;
      const long y = std::lround(std::sin(radians) * dx + std::cos(radians) * dy) + 15;
      const bool inside = x >= 0 && y >= 0 && x < 33 && y < 31;
      const double expected = inside ? images.pixels[i / 1023 * 1023 + static_cast<std::size_t>(y * 33 + x)] : 0;
      wrong += std::abs(out[n * images.image_size() + i] - expected) > 1e-3 ? 1 : 0;
    }
    EXPECT_LE(wrong, 2U) << "but for positions half-way between two pixels";
  }
}

TEST(Augmentation, MirrorsWholeBatchesWithTheProbability) {
  const ImageDataset images = random_images(3, 2, 4, 5);
  const auto plain = inputs(images, {0, 1, 2}, kDefault, nullptr);
  std::vector<float> mirror = plain;
  for (auto row = mirror.begin(); row != mirror.end(); row += 5) std::reverse(row, row + 5);
  Random random({.seed = 3}, "flips");
  int mirrored = 0;
  for (int i = 0; i < 500; ++i) {
    const auto out = inputs(images, {0, 1, 2}, {.degrees = 0, .flip_probability = 0.4}, &random);
    EXPECT_TRUE(out == plain || out == mirror);
    mirrored += out == mirror ? 1 : 0;
  }
  EXPECT_NEAR(mirrored / 500.0, 0.4, 0.07);
  EXPECT_EQ(inputs(images, {0, 1, 2}, {.flip_probability = 1}, nullptr), plain);
}

TEST(Augmentation, RefusesNonsense) {
  const ImageDataset images = random_images(2, 1, 4, 4);
  std::vector<float> out(16);
  Random random({}, "angles");
  const std::array<std::uint32_t, 1> first{0}, beyond{2};
  EXPECT_THROW(write_inputs(images, beyond, kDefault, nullptr, out), Error);
  EXPECT_THROW(write_inputs(images, first, {.std = {0}}, nullptr, out), Error);
  EXPECT_THROW(write_inputs(images, first, {.degrees = -1}, &random, out), Error);
  EXPECT_THROW(write_inputs(images, first, {.mean = {0, 0}}, &random, out), Error);
  EXPECT_THROW(write_inputs(images, first, {.flip_probability = 1.5}, &random, out), Error);
  out.resize(15);
  EXPECT_THROW(write_inputs(images, first, kDefault, nullptr, out), Error);
}

}  // namespace
}  // namespace paretofl
