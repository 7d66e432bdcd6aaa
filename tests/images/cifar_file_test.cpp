#include "paretofl/images/cifar_file.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/files/missing_file.h"
#include "tests/data_folder.h"
#include "tests/images/idx_bytes.h"
#include "tests/images/jpeg_bytes.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Record i has the label (first + i) % 10 and pixels that count up from i.
Bytes records(std::size_t count, std::size_t first = 0) {
  Bytes bytes;
  for (std::size_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<std::uint8_t>((first + i) % 10));
    for (std::size_t p = 0; p < 3072; ++p) bytes.push_back(static_cast<std::uint8_t>(i + p));
  }
  return bytes;
}

TEST(CifarFile, RecordsAreALabelAndThreePlanes) {
  ImageDataset images = empty_cifar("object");
  append_cifar_records(records(3), "a", images);
  append_cifar_records(records(2, 7), "b", images);
  images.check("images");
  EXPECT_EQ(images.count, 5U);
  EXPECT_EQ(images.image_size(), 3072U);
  EXPECT_THAT(images.labels[0], ElementsAre(0, 1, 2, 7, 8));
  EXPECT_EQ(images.image(2)[1024], static_cast<std::uint8_t>(2 + 1024));
  EXPECT_EQ(images.image(4)[3071], static_cast<std::uint8_t>(1 + 3071));
}

TEST(CifarFile, RefusesPartsOfRecordsAndUnknownLabels) {
  ImageDataset images = empty_cifar("object");
  Bytes bytes = records(2);
  EXPECT_THAT([&] { append_cifar_records({}, "x.bin", images); }, ThrowsMessage<Error>(HasSubstr("x.bin: expected records of 3073 bytes")));
  EXPECT_THROW(append_cifar_records(std::span(bytes).first(3072), "x.bin", images), Error);
  bytes[3073] = 10;
  EXPECT_THAT([&] { append_cifar_records(bytes, "x.bin", images); },
              ThrowsMessage<Error>(HasSubstr("x.bin: expected labels below 10, found 10 in record 1")));
}

TEST(CifarFile, ReadsAllBatchesFromEitherFolder) {
  const auto folder = empty_folder("cifar_binary");
  EXPECT_THAT([&] { read_cifar10(folder, DataPart::kTrain, "object"); }, ThrowsMessage<MissingFile>(HasSubstr("found neither")));
  for (std::size_t i = 1; i <= 5; ++i) {
    write_bytes(folder / "cifar-10-batches-bin" / ("data_batch_" + std::to_string(i) + ".bin"), records(1, i));
  }
  EXPECT_THAT(read_cifar10(folder, DataPart::kTrain, "object").labels[0], ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THROW(read_cifar10(folder, DataPart::kTest, "object"), Error);
  write_bytes(folder / "test_batch.bin", records(2, 4));
  EXPECT_THAT(read_cifar10(folder, DataPart::kTest, "object").labels[0], ElementsAre(4, 5));
  std::filesystem::remove(folder / "cifar-10-batches-bin" / "data_batch_4.bin");
  EXPECT_THAT([&] { read_cifar10(folder, DataPart::kTrain, "object"); }, ThrowsMessage<Error>(HasSubstr("data_batch_4.bin")));
}

TEST(CifarFile, ReadsJpegFilesByClass) {
  const auto folder = empty_folder("cifar_jpeg");
  const char* const names[] = {"truck", "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse"};
  std::uint8_t grey = 0;
  for (const char* name : names) {
    write_bytes(folder / "train" / name / "0000.jpg", jpeg_bytes(Bytes(3072, grey += 20), 32, 32));
  }
  EXPECT_THAT([&] { read_cifar10(folder, DataPart::kTrain, "object"); }, ThrowsMessage<Error>(HasSubstr("ship")));
  write_bytes(folder / "train" / "ship" / "7.jpg", jpeg_bytes(Bytes(3072, 250), 32, 32));
  write_bytes(folder / "train" / "bird" / "0001.jpg", jpeg_bytes(Bytes(3072, 240), 32, 32));
  const ImageDataset images = read_cifar10(folder, DataPart::kTrain, "object");
  EXPECT_THAT(images.labels[0], ElementsAre(0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_NEAR(images.image(0)[0], 40, 2);
  EXPECT_NEAR(images.image(3)[5], 240, 2);
  EXPECT_NEAR(images.image(9)[3071], 250, 2);
  write_bytes(folder / "train" / "ship" / "8.jpg", jpeg_bytes(Bytes(3 * 33 * 32, 250), 33, 32));
  EXPECT_THAT([&] { read_cifar10(folder, DataPart::kTrain, "object"); },
              ThrowsMessage<Error>(HasSubstr("expected an image of 32 x 32, found 33 x 32")));
}

// The first 4000 published training images and the JPEG tree of all show the same pictures.
TEST(CifarFile, ReadsTheRealFiles) {
  PARETOFL_NEEDS_DATA("cifar10");
  const auto folder = empty_folder("cifar_real");
  const auto run = [](const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; };
  const std::string source = (data_folder() / "cifar10").string();
  run("xz -dc " + source + "/first4000.bin.xz > " + (folder / "test_batch.bin").string());
  run("tar -C " + folder.string() + " -xf " + source + "/cifar10-jpg.tar.xz test");
  const ImageDataset exact = read_cifar10(folder, DataPart::kTest, "object");
  EXPECT_EQ(exact.count, 4000U);
  std::filesystem::remove(folder / "test_batch.bin");
  const ImageDataset lossy = read_cifar10(folder, DataPart::kTest, "object");
  EXPECT_EQ(lossy.count, 10000U);
  for (const ImageDataset* images : {&exact, &lossy}) {
    images->check("CIFAR-10");
    std::array<double, 10> of_class{};
    for (const std::uint8_t label : images->labels[0]) of_class[label] += 10.0 / static_cast<double>(images->count);
    EXPECT_THAT(of_class, testing::Each(testing::DoubleNear(1, 0.1)));
    std::array<double, 3> mean{};  // of the published training images: 0.4914, 0.4822, 0.4465
    for (std::size_t i = 0; i < images->pixels.size(); ++i) mean[i / 1024 % 3] += images->pixels[i];
    for (double& x : mean) x /= 255.0 * 1024 * static_cast<double>(images->count);
    EXPECT_THAT(mean, ElementsAre(testing::DoubleNear(0.4914, 0.01), testing::DoubleNear(0.4822, 0.01), testing::DoubleNear(0.4465, 0.01)));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace paretofl
