#include "paretofl/workloads/cifar10_mnist.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/images/cifar_file.h"

namespace paretofl {
namespace {

TEST(Cifar10Mnist, ADigitLiesOverTheCentreOfAllChannels) {
  std::vector<std::uint8_t> image(3072, 100);
  for (std::size_t i = 1024; i < 2048; ++i) image[i] = 200;
  std::vector<std::uint8_t> digit(784, 0);
  digit[0] = 255;  // pixel (2, 2)
  digit[783] = 1;  // pixel (29, 29)
  lay_digit_over(digit, image);
  for (std::size_t i = 0; i < 3072; ++i) {
    const std::size_t y = i / 32 % 32, x = i % 32;
    const int before = i / 1024 == 1 ? 200 : 100;
    int expected = before;
    if (y == 2 && x == 2) expected = (156 * 255 + 99 * before + 127) / 255;
    if (y == 29 && x == 29) expected = (156 + 99 * before + 127) / 255;
    ASSERT_EQ(image[i], expected) << y << " " << x;
  }
  EXPECT_THROW(lay_digit_over(std::span(digit).first(783), image), Error);
  EXPECT_THROW(lay_digit_over(digit, std::span(image).first(1024)), Error);
}

TEST(Cifar10Mnist, ImageIHasDigitI) {
  ImageDataset images = empty_cifar("object");
  images.count = 2;
  images.pixels.assign(2 * 3072, 50);
  images.labels[0] = {3, 9};
  ImageDataset digits;
  digits.count = 3;
  digits.height = digits.width = 28;
  digits.objectives = {"digit"};
  digits.heads.resize(1);
  digits.pixels.assign(std::size_t{3} * 784, 0);
  digits.image(1)[0] = 255;
  digits.labels = {{5, 6, 7}};
  const ImageDataset composed = compose_cifar10_mnist(images, digits);
  composed.check("composed");
  EXPECT_THAT(composed.objectives, testing::ElementsAre("cifar10", "mnist"));
  EXPECT_THAT(composed.labels, testing::ElementsAre(testing::ElementsAre(3, 9), testing::ElementsAre(5, 6)));
  EXPECT_EQ(composed.image(0)[2 * 32 + 2], 50);
  EXPECT_GT(composed.image(1)[2 * 32 + 2], 150);
  digits.count = 1;
  digits.pixels.resize(784);
  digits.labels = {{5}};
  EXPECT_THROW(compose_cifar10_mnist(images, digits), Error);
}

}  // namespace
}  // namespace paretofl
