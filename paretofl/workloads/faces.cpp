#include "paretofl/workloads/faces.h"

#include "paretofl/core/error.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/data/xz_file.h"
#include "paretofl/images/face_images.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxTable = std::size_t{1} << 24;

}  // namespace

void FacesOptions::describe(OptionVisitor& visit) {
  images.describe(visit);
  visit.integer("train_images", train_images, 1, 10'000'000, "number of training images");
  visit.integer("test_images", test_images, 1, 10'000'000, "number of test images");
  visit.integer("objectives", objectives, 1, kFaceAttributes, "how many of CelebA's attributes are objectives, from the first on");
  visit.boolean("grouped", grouped, "five objectives instead: CelebA-5's groups of eight attributes");
  visit.real("noise", noise, 0, 1, "standard deviation of the pixel noise, on the scale from 0 (black) to 1 (white)");
}

std::filesystem::path find_face_table(const std::filesystem::path& folder) {
  std::error_code failure;
  for (const char* name : {"attr_bits.bin", "attr_bits.bin.xz"}) {
    if (std::filesystem::exists(folder / name, failure)) return folder / name;
  }
  return {};
}

std::vector<FaceBits> read_face_table(const std::filesystem::path& file) {
  std::vector<std::uint8_t> content = read_bytes(file, kMaxTable);
  if (file.extension() == ".xz") content = decompress_xz(content, kMaxTable, file.string());
  return parse_packed_attributes(content, file.string());
}

std::unique_ptr<Workload> make_faces(const FacesOptions& options, const std::filesystem::path& root, std::uint64_t seed) {
  const auto file = find_face_table(root / "celeba");
  const std::vector<FaceBits> table = file.empty() ? std::vector<FaceBits>() : read_face_table(file);
  const FaceAttributeModel model;
  const StreamId stream{seed, 0, kServerStream};
  const auto draw = [&](std::int64_t count, std::string_view purpose) {
    const Random random(stream, purpose);
    Random rows = random.substream("attributes");
    std::vector<FaceBits> faces;
    for (std::int64_t i = 0; i < count; ++i) faces.push_back(table.empty() ? model.draw(rows) : table[rows.below(table.size())]);
    ImageDataset images = draw_faces(faces, options.noise, random);
    set_face_labels(faces, static_cast<std::size_t>(options.objectives), options.grouped, images);
    return images;
  };
  ImageSplits splits{draw(options.train_images, "faces train"), draw(options.test_images, "faces test"), {.mean = {0.45}, .std = {0.25}}};
  return std::make_unique<ImageClassification>(options.images, std::move(splits), seed);
}

}  // namespace paretofl
