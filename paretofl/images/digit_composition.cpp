#include "paretofl/images/digit_composition.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/images/idx_image_folder.h"

namespace paretofl {
namespace {

constexpr std::size_t kSide = 28;

struct Placement {
  std::size_t canvas;
  std::size_t offset;
};
constexpr Placement kMultiMnist{36, 6};
constexpr Placement kMnistFmnist{42, 14};

void check_source(const ImageDataset& images, const char* what) {
  images.check(what);
  expect(images.channels == 1 && images.height == kSide && images.width == kSide && images.objectives.size() == 1,
         "{}: expected grey images of {} x {} with one objective, found {} x {} x {} with {}", what, kSide, kSide, images.channels,
         images.height, images.width, images.objectives.size());
}

// Sample i: image i of `first` and image partner[i] of `second`.
ImageDataset compose(const ImageDataset& first, const ImageDataset& second, std::span<const std::size_t> partner, Placement placement,
                     std::array<std::string, 2> objectives) {
  ImageDataset composed;
  composed.count = first.count;
  composed.height = composed.width = kSide;
  composed.pixels.resize(first.count * kSide * kSide);
  composed.objectives.assign(objectives.begin(), objectives.end());
  composed.heads = {first.heads[0], second.heads[0]};
  composed.labels = {first.labels[0], std::vector<std::uint8_t>(first.count)};
  for (std::size_t i = 0; i < first.count; ++i) {
    overlay(first.image(i), second.image(partner[i]), placement.canvas, placement.offset, composed.image(i));
    composed.labels[1][i] = second.labels[0][partner[i]];
  }
  return composed;
}

}  // namespace

void overlay(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second, std::size_t canvas, std::size_t offset,
             std::span<std::uint8_t> out) {
  expect(first.size() == kSide * kSide && second.size() == first.size() && out.size() == first.size(),
         "overlay: expected images of {} pixels, found {}, {} and {}", kSide * kSide, first.size(), second.size(), out.size());
  for (std::size_t i = 0; i < kSide; ++i) {
    const std::size_t y = i * canvas / kSide;
    for (std::size_t j = 0; j < kSide; ++j) {
      const std::size_t x = j * canvas / kSide;
      const std::uint8_t a = y < kSide && x < kSide ? first[y * kSide + x] : 0;
      const bool in_second = y >= offset && x >= offset && y - offset < kSide && x - offset < kSide;
      const std::uint8_t b = in_second ? second[(y - offset) * kSide + x - offset] : 0;
      out[i * kSide + j] = std::max(a, b);
    }
  }
}

ImageDataset compose_multimnist(const ImageDataset& digits, Random random) {
  check_source(digits, "multimnist digits");
  std::vector<std::size_t> partner(digits.count);
  for (std::size_t& right : partner) right = random.below(digits.count);
  return compose(digits, digits, partner, kMultiMnist, {"left", "right"});
}

ImageDataset compose_mnist_fmnist(const ImageDataset& digits, const ImageDataset& garments, Random random) {
  check_source(digits, "mnist_fmnist digits");
  check_source(garments, "mnist_fmnist garments");
  expect(digits.count == garments.count, "mnist_fmnist: expected as many garments as digits, found {} and {}", garments.count,
         digits.count);
  std::vector<std::size_t> partner(digits.count);
  std::iota(partner.begin(), partner.end(), std::size_t{0});
  random.shuffle(std::span(partner));
  return compose(digits, garments, partner, kMnistFmnist, {"mnist", "fashion"});
}

ImageSplits load_multimnist(const std::filesystem::path& root, std::uint64_t seed) {
  const auto load = [&](DataPart part, std::string_view purpose) {
    return compose_multimnist(read_idx_images(root / "mnist", part, "digit"), Random({.seed = seed}, purpose));
  };
  return {load(DataPart::kTrain, "multimnist train"), load(DataPart::kTest, "multimnist test"), {}};
}

ImageSplits load_mnist_fmnist(const std::filesystem::path& root, std::uint64_t seed) {
  const auto load = [&](DataPart part, std::string_view purpose) {
    return compose_mnist_fmnist(read_idx_images(root / "mnist", part, "digit"), read_idx_images(root / "fashion_mnist", part, "garment"),
                                Random({.seed = seed}, purpose));
  };
  return {load(DataPart::kTrain, "mnist_fmnist train"), load(DataPart::kTest, "mnist_fmnist test"), {}};
}

}  // namespace paretofl
