#include "paretofl/images/jpeg_file.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/images/idx_bytes.h"
#include "tests/images/jpeg_bytes.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Three smooth channels, so that JPEG keeps them well.
Bytes ramps(std::size_t height, std::size_t width) {
  Bytes pixels(3 * height * width);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      pixels[y * width + x] = static_cast<std::uint8_t>(4 * y);
      pixels[(height + y) * width + x] = static_cast<std::uint8_t>(4 * x);
      pixels[(2 * height + y) * width + x] = 200;
    }
  }
  return pixels;
}

TEST(JpegFile, DecodesRedGreenAndBlue) {
  const Bytes pixels = ramps(20, 31);
  const JpegImage image = decode_jpeg(jpeg_bytes(pixels, 20, 31), "ramps");
  EXPECT_EQ(image.height, 20U);
  EXPECT_EQ(image.width, 31U);
  ASSERT_EQ(image.pixels.size(), pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) EXPECT_NEAR(image.pixels[i], pixels[i], 6) << i;
}

TEST(JpegFile, NothingButAWholeImageWillDo) {
  const Bytes good = jpeg_bytes(ramps(16, 16), 16, 16);
  const auto decode = [](const Bytes& bytes) { return [bytes] { decode_jpeg(bytes, "x.jpg"); }; };
  EXPECT_THAT(decode({}), ThrowsMessage<Error>(HasSubstr("x.jpg: expected a JPEG image, found no bytes")));
  EXPECT_THAT(decode({1, 2, 3}), ThrowsMessage<Error>(HasSubstr("x.jpg: expected an intact JPEG image")));
  for (std::size_t size = 1; size < good.size(); size += 37)
    EXPECT_THROW(decode(Bytes(good.begin(), good.begin() + size))(), Error) << size;
  Bytes damaged = good;
  for (std::size_t i = damaged.size() - 60; i < damaged.size() - 30; ++i) damaged[i] = 0xff;
  EXPECT_THROW(decode(damaged)(), Error);
  Bytes huge = good;
  for (std::size_t i = 0; i + 8 < huge.size(); ++i) {
    if (huge[i] == 0xff && huge[i + 1] == 0xc0) huge[i + 5] = 0xff;  // the height in the frame header
  }
  EXPECT_THAT(decode(huge), ThrowsMessage<Error>(HasSubstr("at most 4096 x 4096")));
}

TEST(JpegFile, GoesThroughAFolderByName) {
  const auto folder = empty_folder("jpeg");
  EXPECT_THAT([&] { jpeg_files(folder); }, ThrowsMessage<Error>(HasSubstr("expected JPEG files, found none")));
  EXPECT_THAT([&] { jpeg_files(folder / "absent"); }, ThrowsMessage<Error>(HasSubstr("expected a folder of JPEG files")));
  for (const std::size_t size : {12, 10, 11}) {
    write_bytes(folder / (std::to_string(size) + (size == 10 ? ".JPG" : ".jpg")), jpeg_bytes(ramps(size, size), size, size));
  }
  write_bytes(folder / "notes.txt", {1});
  const auto files = jpeg_files(folder);
  ASSERT_EQ(files.size(), 3U);
  std::vector<std::size_t> heights(3);
  for_each_jpeg(files, [&](std::size_t i, const JpegImage& image) { heights[i] = image.height; });
  EXPECT_THAT(heights, testing::ElementsAre(10, 11, 12));
  write_bytes(folder / "13.png", {1});
  EXPECT_THAT([&] { jpeg_files(folder); }, ThrowsMessage<Error>(HasSubstr("expected files *.jpg, *.jpeg alone, found 13.png")));
  write_bytes(folder / "11.jpg", {9, 9, 9});
  EXPECT_THAT([&] { for_each_jpeg(files, [](std::size_t, const JpegImage&) {}); }, ThrowsMessage<Error>(HasSubstr("11.jpg")));
}

}  // namespace
}  // namespace paretofl
