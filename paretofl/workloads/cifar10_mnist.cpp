#include "paretofl/workloads/cifar10_mnist.h"

#include "paretofl/core/error.h"
#include "paretofl/images/cifar_file.h"
#include "paretofl/images/idx_image_folder.h"

namespace paretofl {
namespace {

constexpr std::size_t kDigitSide = 28;
constexpr std::size_t kOffset = (kCifarSide - kDigitSide) / 2;
constexpr unsigned kAlpha = 156;  // of the digit, out of 255

std::uint8_t blend(std::uint8_t digit, std::uint8_t image) {
  return static_cast<std::uint8_t>((kAlpha * digit + (255 - kAlpha) * image + 127) / 255);
}

}  // namespace

void lay_digit_over(std::span<const std::uint8_t> digit, std::span<std::uint8_t> image) {
  expect(digit.size() == kDigitSide * kDigitSide && image.size() == 3 * kCifarSide * kCifarSide,
         "cifar10_mnist: expected {} pixels of a digit and {} of an image, found {} and {}", kDigitSide * kDigitSide,
         3 * kCifarSide * kCifarSide, digit.size(), image.size());
  for (std::size_t i = 0; i < digit.size(); ++i) {
    if (digit[i] == 0) continue;
    const std::size_t at = (i / kDigitSide + kOffset) * kCifarSide + i % kDigitSide + kOffset;
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint8_t& pixel = image[c * kCifarSide * kCifarSide + at];
      pixel = blend(digit[i], pixel);
    }
  }
}

ImageDataset compose_cifar10_mnist(ImageDataset images, const ImageDataset& digits) {
  images.check("cifar10_mnist images");
  digits.check("cifar10_mnist digits");
  expect(images.count <= digits.count && images.objectives.size() == 1 && digits.objectives.size() == 1,
         "cifar10_mnist: expected a digit with one objective for each of {} images, found {} with {}", images.count, digits.count,
         digits.objectives.size());
  for (std::size_t i = 0; i < images.count; ++i) lay_digit_over(digits.image(i), images.image(i));
  images.objectives = {"cifar10", "mnist"};
  images.heads.push_back(digits.heads[0]);
  images.labels.emplace_back(digits.labels[0].begin(), digits.labels[0].begin() + static_cast<std::ptrdiff_t>(images.count));
  return images;
}

ImageSplits load_cifar10_mnist(const std::filesystem::path& root, std::uint64_t) {
  const auto load = [&](DataPart part) {
    const ImageDataset mnist = read_idx_images(root / "mnist", part, "mnist");
    return compose_cifar10_mnist(read_cifar10(root / "cifar10", part, "cifar10"), mnist);
  };
  return {.train = load(DataPart::kTrain),
          .test = load(DataPart::kTest),
          .augmentation = {.mean = {0.4914, 0.4822, 0.4465},
                           .std = {0.2023, 0.1994, 0.2010},
                           .whole_degrees = true,
                           .nearest = true,
                           .flip_probability = 0.4},
          .same_for_every_seed = true};
}

}  // namespace paretofl
