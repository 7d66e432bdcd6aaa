#include "paretofl/images/cifar_file.h"

#include <array>

#include "paretofl/core/error.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/files/missing_file.h"
#include "paretofl/images/jpeg_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kPixels = 3 * kCifarSide * kCifarSide;
constexpr std::size_t kRecord = 1 + kPixels;
constexpr std::size_t kMaxFile = std::size_t{1} << 30;

// In the order of their labels.
constexpr std::array<const char*, kCifarClasses> kClassNames = {"airplane", "automobile", "bird",  "cat",  "deer",
                                                                "dog",      "frog",       "horse", "ship", "truck"};

bool is_there(const std::filesystem::path& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

const char* first_batch(DataPart part) { return part == DataPart::kTrain ? "data_batch_1.bin" : "test_batch.bin"; }

ImageDataset read_binary(const std::filesystem::path& folder, DataPart part, const std::string& objective) {
  ImageDataset images = empty_cifar(objective);
  if (part == DataPart::kTest) {
    append_cifar_file(folder / "test_batch.bin", images);
  } else {
    for (int i = 1; i <= 5; ++i) append_cifar_file(folder / fmt::format("data_batch_{}.bin", i), images);
  }
  return images;
}

ImageDataset read_jpegs(const std::filesystem::path& folder, const std::string& objective) {
  std::vector<std::filesystem::path> files;
  ImageDataset images = empty_cifar(objective);
  for (std::size_t label = 0; label < kClassNames.size(); ++label) {
    const std::vector<std::filesystem::path> of_class = jpeg_files(folder / kClassNames[label]);
    files.insert(files.end(), of_class.begin(), of_class.end());
    images.labels[0].insert(images.labels[0].end(), of_class.size(), static_cast<std::uint8_t>(label));
  }
  images.count = files.size();
  images.pixels.resize(files.size() * kPixels);
  for_each_jpeg(files, [&](std::size_t i, const JpegImage& jpeg) {
    expect(jpeg.height == kCifarSide && jpeg.width == kCifarSide, "{}: expected an image of {} x {}, found {} x {}", files[i].string(),
           kCifarSide, kCifarSide, jpeg.height, jpeg.width);
    std::copy(jpeg.pixels.begin(), jpeg.pixels.end(), images.image(i).begin());
  });
  return images;
}

}  // namespace

ImageDataset empty_cifar(const std::string& objective) {
  ImageDataset images;
  images.channels = 3;
  images.height = images.width = kCifarSide;
  images.objectives = {objective};
  images.heads = {{.outputs = kCifarClasses, .loss = Loss::kNll}};
  images.labels.resize(1);
  return images;
}

void append_cifar_records(std::span<const std::uint8_t> content, const std::string& name, ImageDataset& images) {
  expect(!content.empty() && content.size() % kRecord == 0, "{}: expected records of {} bytes, found {} bytes", name, kRecord,
         content.size());
  const std::size_t count = content.size() / kRecord;
  images.pixels.reserve(images.pixels.size() + count * kPixels);
  for (std::size_t i = 0; i < count; ++i) {
    const auto record = content.subspan(i * kRecord, kRecord);
    expect(record[0] < kCifarClasses, "{}: expected labels below {}, found {} in record {}", name, kCifarClasses, record[0], i);
    images.labels[0].push_back(record[0]);
    images.pixels.insert(images.pixels.end(), record.begin() + 1, record.end());
  }
  images.count += count;
}

void append_cifar_file(const std::filesystem::path& file, ImageDataset& images) {
  append_cifar_records(read_bytes(file, kMaxFile), file.string(), images);
}

std::filesystem::path find_cifar_batches(const std::filesystem::path& folder, DataPart part) {
  for (const std::filesystem::path& place : {folder, folder / "cifar-10-batches-bin"}) {
    if (is_there(place / first_batch(part))) return place;
  }
  return {};
}

ImageDataset read_cifar10(const std::filesystem::path& folder, DataPart part, const std::string& objective) {
  const std::string tree = part == DataPart::kTrain ? "train" : "test";
  const auto place = find_cifar_batches(folder, part);
  if (!place.empty()) return read_binary(place, part, objective);
  if (!is_there(folder / tree)) {
    throw MissingFile(
        folder, fmt::format("{}: expected CIFAR-10 as {} (here or in cifar-10-batches-bin/) or as JPEG files in {}/CLASS/, found neither",
                            folder.string(), first_batch(part), tree));
  }
  return read_jpegs(folder / tree, objective);
}

}  // namespace paretofl
