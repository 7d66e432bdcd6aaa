#include "paretofl/images/idx_image_folder.h"

#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "paretofl/core/error.h"
#include "tests/data_folder.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Bytes kImages = idx_bytes({2, 1, 2}, Bytes{10, 20, 30, 40});
const Bytes kLabels = idx_bytes({2}, Bytes{7, 9});

std::string folder_error(const std::filesystem::path& folder) {
  try {
    read_idx_images(folder, DataPart::kTrain, "digit");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(IdxImageFolder, AcceptsTheFourNames) {
  for (const std::string name :
       {"t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte", "t10k-images-idx3-ubyte.gz", "t10k-images.idx3-ubyte.gz"}) {
    const auto folder = empty_folder("idx_names");
    write_bytes(folder / name, kImages);
    EXPECT_EQ(find_idx(folder, idx_images_name(DataPart::kTest)), folder / name);
  }
}

TEST(IdxImageFolder, ReadsASplit) {
  const auto folder = empty_folder("idx_split");
  write_bytes(folder / "t10k-images-idx3-ubyte.gz", gzip(kImages));
  write_bytes(folder / "t10k-labels.idx1-ubyte", kLabels);
  const ImageDataset images = read_idx_images(folder, DataPart::kTest, "digit");
  EXPECT_EQ(images.count, 2U);
  EXPECT_EQ(images.height, 1U);
  EXPECT_EQ(images.width, 2U);
  EXPECT_THAT(images.image(1), ElementsAre(30, 40));
  EXPECT_THAT(images.labels[0], ElementsAre(7, 9));
  EXPECT_THAT(images.objectives, ElementsAre("digit"));
  EXPECT_EQ(images.heads, (std::vector<Head>{{.outputs = 10, .loss = Loss::kNll}}));
}

TEST(IdxImageFolder, NamesWhatIsMissingOrDoesNotMatch) {
  const auto folder = empty_folder("idx_bad");
  EXPECT_THAT(folder_error(folder), HasSubstr("expected the file train-images-idx3-ubyte (or train-images.idx3-ubyte"));
  EXPECT_THAT(folder_error(folder / "absent"), HasSubstr("found none of them"));
  write_bytes(folder / "train-images-idx3-ubyte", kImages);
  write_bytes(folder / "train-labels-idx1-ubyte", idx_bytes({3}, Bytes{1, 2, 3}));
  EXPECT_THAT(folder_error(folder), HasSubstr("found 3 labels and 2 images"));
  write_bytes(folder / "train-labels-idx1-ubyte", idx_bytes({2}, Bytes{1, 10}));
  EXPECT_THAT(folder_error(folder), HasSubstr("expected labels of 'digit' below 10, found 10"));
  write_bytes(folder / "train-labels-idx1-ubyte", kImages);
  EXPECT_THAT(folder_error(folder), HasSubstr("train-labels-idx1-ubyte: expected 1 dimensions, found 3"));
}

// The first labels and the class counts are those of the published files.
TEST(IdxImageFolder, ReadsMnist) {
  PARETOFL_NEEDS_DATA("mnist");
  const ImageDataset train = read_idx_images(data_folder() / "mnist", DataPart::kTrain, "digit");
  ASSERT_EQ(train.count, 60000U);
  EXPECT_EQ(train.image_size(), 784U);
  EXPECT_THAT(std::vector(train.labels[0].begin(), train.labels[0].begin() + 8), ElementsAre(5, 0, 4, 1, 9, 2, 1, 3));
  std::array<int, 10> counts{};
  for (const auto label : train.labels[0]) ++counts[label];
  EXPECT_THAT(counts, ElementsAre(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949));
  // The mean and the deviation that everyone normalizes with.
  double sum = 0, squares = 0;
  for (const auto pixel : train.pixels) {
    sum += pixel;
    squares += static_cast<double>(pixel) * pixel;
  }
  const double mean = sum / static_cast<double>(train.pixels.size());
  EXPECT_NEAR(mean / 255, 0.1307, 5e-5);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(train.pixels.size()) - mean * mean) / 255, 0.3081, 5e-5);
}

TEST(IdxImageFolder, ReadsFashionMnist) {
  PARETOFL_NEEDS_DATA("fashion_mnist");
  const ImageDataset test = read_idx_images(data_folder() / "fashion_mnist", DataPart::kTest, "garment");
  ASSERT_EQ(test.count, 10000U);
  std::array<int, 10> counts{};
  for (const auto label : test.labels[0]) ++counts[label];
  EXPECT_THAT(counts, testing::Each(1000));
}

}  // namespace
}  // namespace paretofl
