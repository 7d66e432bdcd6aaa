#include "paretofl/workloads/celeba.h"

#include "paretofl/core/error.h"
#include "paretofl/images/image_resize.h"
#include "paretofl/images/jpeg_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kPixels = 3 * kCelebaSide * kCelebaSide;

// What the authors' code subtracts from red, green and blue; not CelebA's means, which are higher.
constexpr double kRed = 72.39239876, kGreen = 82.90891754, kBlue = 73.15835921;

// A part in the order of the lists, its first `most` images; 0 is all.
std::vector<CelebaImage> images_of(const std::vector<CelebaImage>& images, CelebaPart part, std::int64_t most) {
  std::vector<CelebaImage> chosen;
  for (const CelebaImage& image : images) {
    if (most > 0 && chosen.size() == static_cast<std::size_t>(most)) break;
    if (image.part == part) chosen.push_back(image);
  }
  return chosen;
}

// All but the pixels.
ImageDataset labelled(const std::vector<CelebaImage>& images, std::size_t objectives, bool grouped) {
  std::vector<FaceBits> faces;
  for (const CelebaImage& image : images) faces.push_back(image.attributes);
  ImageDataset data;
  data.count = images.size();
  data.channels = 3;
  data.height = data.width = kCelebaSide;
  set_face_labels(faces, objectives, grouped, data);
  return data;
}

std::unique_ptr<Workload> make(const Celeba5Options& options, std::size_t objectives, bool grouped, const std::filesystem::path& root,
                               std::uint64_t seed) {
  const auto folder = root / "celeba";
  const std::vector<CelebaImage> images = read_celeba_lists(folder);
  const auto part = [&](CelebaPart which, const char* what, std::int64_t most) {
    std::vector<CelebaImage> chosen = images_of(images, which, most);
    expect(!chosen.empty(), "{}: expected images of part {} ({}), found none", (folder / "list_eval_partition.txt").string(),
           static_cast<int>(which), what);
    return chosen;
  };
  const auto evaluated = [&](CelebaPart which, const char* what) {
    const std::vector<CelebaImage> chosen = part(which, what, options.evaluation_images);
    ImageDataset data = labelled(chosen, objectives, grouped);
    data.pixels = read_celeba_pixels(folder, chosen);
    return data;
  };
  const std::vector<CelebaImage> train = part(CelebaPart::kTrain, "train", 0);
  ImageSplits splits{.train = labelled(train, objectives, grouped),
                     .test = evaluated(CelebaPart::kTest, "test"),
                     .augmentation = {.mean = {kRed / 255, kGreen / 255, kBlue / 255}, .std = {1}}};
  if (options.published_validation) splits.validation = evaluated(CelebaPart::kValidation, "validation");
  splits.same_for_every_seed = true;
  splits.read_train = [folder, train](std::span<const std::uint32_t> samples) {
    std::vector<CelebaImage> chosen;
    for (const std::uint32_t sample : samples) chosen.push_back(train[sample]);
    return read_celeba_pixels(folder, chosen);
  };
  return std::make_unique<ImageClassification>(options.images, std::move(splits), seed);
}

}  // namespace

void Celeba5Options::describe(OptionVisitor& visit) {
  images.describe(visit);
  visit.boolean("published_validation", published_validation, "validates on the published validation images");
  visit.integer("evaluation_images", evaluation_images, 0, kMaxInt,
                "test images, and published validation images, that are used, from the first on; 0 is all");
}

void CelebaOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.integer("objectives", objectives, 1, kFaceAttributes, "how many of the attributes are objectives, from the first on");
}

std::vector<std::uint8_t> read_celeba_pixels(const std::filesystem::path& folder, std::span<const CelebaImage> images) {
  std::vector<std::filesystem::path> files;
  for (const CelebaImage& image : images) files.push_back(folder / "img_align_celeba" / image.file_name());
  std::vector<std::uint8_t> pixels(images.size() * kPixels);
  for_each_jpeg(files, [&](std::size_t i, const JpegImage& jpeg) {
    expect(jpeg.height == kCelebaHeight && jpeg.width == kCelebaWidth, "{}: expected an aligned image of {} x {}, found {} x {}",
           files[i].string(), kCelebaHeight, kCelebaWidth, jpeg.height, jpeg.width);
    resize_bilinear(jpeg.pixels, jpeg.height, jpeg.width, 3, std::span(pixels).subspan(i * kPixels, kPixels), kCelebaSide, kCelebaSide);
  });
  return pixels;
}

std::unique_ptr<Workload> make_celeba(const CelebaOptions& options, const std::filesystem::path& root, std::uint64_t seed) {
  return make(options.base, static_cast<std::size_t>(options.objectives), false, root, seed);
}

std::unique_ptr<Workload> make_celeba5(const Celeba5Options& options, const std::filesystem::path& root, std::uint64_t seed) {
  return make(options, kFaceAttributes, true, root, seed);
}

}  // namespace paretofl
