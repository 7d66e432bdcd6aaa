#include "paretofl/workloads/cifar10_mnist.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/images/cifar_file.h"
#include "paretofl/images/idx_image_folder.h"
#include "paretofl/workloads/workload.h"
#include "tests/images/idx_bytes.h"

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

// Its images are the same for every seed, which those of the other digit sets are not: their digits are composed by chance.
TEST(Cifar10Mnist, TheSeedDoesNotChangeTheProblem) {
  const auto root = empty_folder("cifar10_mnist_seeds");
  Bytes record(3073, 90);
  record[0] = 4;
  for (int i = 1; i <= 5; ++i) write_bytes(root / "cifar10" / fmt::format("data_batch_{}.bin", i), record);
  write_bytes(root / "cifar10" / "test_batch.bin", record);
  for (const DataPart part : {DataPart::kTrain, DataPart::kTest}) {
    for (const char* set : {"mnist", "fashion_mnist"}) {
      write_bytes(root / set / idx_images_name(part), idx_bytes({5, 28, 28}, Bytes(std::size_t{5} * 784, 200)));
      write_bytes(root / set / idx_labels_name(part), idx_bytes({5}, Bytes{0, 1, 2, 3, 4}));
    }
  }
  EXPECT_EQ(load_cifar10_mnist(root, 1).train.pixels, load_cifar10_mnist(root, 2).train.pixels);
  const auto changes = [&](const char* name) {
    Settings settings;
    settings.values = {{"clients", std::int64_t{1}}, {"samples_per_client", std::int64_t{5}}};
    return workloads().at(name).make(settings, {.seed = 1, .data_root = root})->seed_changes_problem();
  };
  EXPECT_FALSE(changes("cifar10_mnist"));
  EXPECT_TRUE(changes("multimnist"));
  EXPECT_TRUE(changes("mnist_fmnist"));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace paretofl
