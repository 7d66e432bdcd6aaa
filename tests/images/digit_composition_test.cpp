#include "paretofl/images/digit_composition.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/images/idx_image_folder.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

constexpr std::size_t kSide = 28;
using Image = std::vector<std::uint8_t>;

// Images of one objective with random pixels and labels 0, 1, ..., 9, 0, ...
ImageDataset random_digits(std::size_t count, std::uint64_t seed) {
  Random random({.seed = seed}, "test");
  ImageDataset digits;
  digits.count = count;
  digits.height = digits.width = kSide;
  digits.objectives = {"digit"};
  digits.heads.resize(1);
  digits.labels.resize(1);
  for (std::size_t i = 0; i < count; ++i) digits.labels[0].push_back(static_cast<std::uint8_t>(i % 10));
  for (std::size_t i = 0; i < count * kSide * kSide; ++i) digits.pixels.push_back(static_cast<std::uint8_t>(random.below(256)));
  return digits;
}

// The canvas painted in full and then resized, as the description reads.
Image painted(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second, std::size_t side, std::size_t offset) {
  Image canvas(side * side, 0);
  for (std::size_t y = 0; y < kSide; ++y) std::copy_n(first.begin() + y * kSide, kSide, canvas.begin() + y * side);
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      std::uint8_t& pixel = canvas[(y + offset) * side + x + offset];
      pixel = std::max(pixel, second[y * kSide + x]);
    }
  }
  Image resized;
  const double scale = static_cast<double>(side) / kSide;
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      resized.push_back(canvas[static_cast<std::size_t>(i * scale + 1e-9) * side + static_cast<std::size_t>(j * scale + 1e-9)]);
    }
  }
  return resized;
}

TEST(DigitComposition, OverlayIsThePaintedCanvasResized) {
  const ImageDataset digits = random_digits(2, 1);
  Image out(kSide * kSide);
  for (const auto& [side, offset] : {std::pair{36, 6}, std::pair{42, 14}}) {
    overlay(digits.image(0), digits.image(1), side, offset, out);
    EXPECT_EQ(out, painted(digits.image(0), digits.image(1), side, offset));
  }
}

// By hand, 42 -> 28: output rows 0, 1, 2, 3 show canvas rows 0, 1, 3, 4; row 27 shows canvas row 40.
TEST(DigitComposition, OverlayByHand) {
  Image first(kSide * kSide, 0), second(kSide * kSide, 0), out(kSide * kSide);
  first[3 * kSide + 1] = 50;     // canvas (3, 1): output (2, 1)
  first[2 * kSide + 1] = 99;     // canvas (2, 1) is skipped
  first[15 * kSide + 16] = 7;    // canvas (15, 16): output (10, 11), hidden by
  second[1 * kSide + 2] = 9;     // canvas (15, 16)
  second[26 * kSide + 26] = 11;  // canvas (40, 40): output (27, 27)
  second[27 * kSide + 27] = 12;  // canvas (41, 41) is skipped
  overlay(first, second, 42, 14, out);
  Image expected(kSide * kSide, 0);
  expected[2 * kSide + 1] = 50;
  expected[10 * kSide + 11] = 9;
  expected[27 * kSide + 27] = 11;
  EXPECT_EQ(out, expected);
}

TEST(DigitComposition, MultiMnistPairsEveryDigitWithARandomOne) {
  const ImageDataset digits = random_digits(300, 2);
  const ImageDataset composed = compose_multimnist(digits, Random({.seed = 5}, "pairs"));
  composed.check("composed");
  EXPECT_EQ(composed.objectives, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(composed.labels[0], digits.labels[0]);
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < composed.count; ++i) {
    std::size_t right = 0;
    while (right < digits.count && !std::ranges::equal(composed.image(i), painted(digits.image(i), digits.image(right), 36, 6))) ++right;
    ASSERT_LT(right, digits.count) << "sample " << i << " is no pair of digits";
    EXPECT_EQ(composed.labels[1][i], digits.labels[0][right]);
    used.insert(right);
  }
  // With replacement: 300 draws leave about 1 / e of the digits out.
  EXPECT_NEAR(static_cast<double>(used.size()) / 300, 1 - std::exp(-1.0), 0.08);
}

TEST(DigitComposition, MnistFmnistUsesEveryGarmentOnce) {
  const ImageDataset digits = random_digits(100, 3), garments = random_digits(100, 4);
  const ImageDataset composed = compose_mnist_fmnist(digits, garments, Random({.seed = 5}, "pairs"));
  composed.check("composed");
  EXPECT_EQ(composed.labels[0], digits.labels[0]);
  std::set<std::size_t> used;
  std::size_t fixed = 0;
  for (std::size_t i = 0; i < composed.count; ++i) {
    std::size_t garment = 0;
    while (garment < garments.count && !std::ranges::equal(composed.image(i), painted(digits.image(i), garments.image(garment), 42, 14)))
      ++garment;
    ASSERT_LT(garment, garments.count) << "sample " << i << " is no pair";
    EXPECT_EQ(composed.labels[1][i], garments.labels[0][garment]);
    used.insert(garment);
    fixed += garment == i;
  }
  EXPECT_EQ(used.size(), garments.count);
  EXPECT_LT(fixed, 8U) << "a random permutation keeps about one in place";
}

TEST(DigitComposition, TheStreamDecides) {
  const ImageDataset digits = random_digits(50, 3);
  const auto pixels = [&](std::uint64_t seed) { return compose_multimnist(digits, Random({.seed = seed}, "pairs")).pixels; };
  EXPECT_EQ(pixels(1), pixels(1));
  EXPECT_NE(pixels(1), pixels(2));
}

TEST(DigitComposition, RefusesOtherImages) {
  ImageDataset digits = random_digits(4, 1);
  EXPECT_THROW(compose_mnist_fmnist(digits, random_digits(5, 1), Random({}, "pairs")), Error);
  digits.height = 14;
  digits.channels = 2;
  EXPECT_THROW(compose_multimnist(digits, Random({}, "pairs")), Error);
  EXPECT_THROW(load_multimnist("/nonexistent", 1), Error);
  Image small(4), out(kSide * kSide);
  EXPECT_THROW(overlay(small, small, 36, 6, out), Error);
}

TEST(DigitComposition, ComposesTheRealFiles) {
  PARETOFL_NEEDS_DATA("mnist");
  PARETOFL_NEEDS_DATA("fashion_mnist");
  const ImageSplits splits = load_mnist_fmnist(data_folder(), 1);
  EXPECT_EQ(splits.train.count, 60000U);
  EXPECT_EQ(splits.test.count, 10000U);
  const ImageDataset digits = read_idx_images(data_folder() / "mnist", DataPart::kTest, "digit");
  EXPECT_EQ(splits.test.labels[0], digits.labels[0]);
  for (const auto& labels : {splits.test.labels[1], splits.train.labels[1]}) {  // each garment once
    EXPECT_EQ(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 3)), labels.size() / 10);
  }
  const ImageSplits pairs = load_multimnist(data_folder(), 1);
  EXPECT_EQ(pairs.train.count, 60000U);
  EXPECT_EQ(pairs.test.count, 10000U);
  EXPECT_NE(pairs.test.labels[0], pairs.test.labels[1]);
}

}  // namespace
}  // namespace paretofl
