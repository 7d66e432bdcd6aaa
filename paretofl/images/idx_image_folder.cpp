#include "paretofl/images/idx_image_folder.h"

#include "paretofl/core/error.h"
#include "paretofl/files/missing_file.h"
#include "paretofl/images/idx_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kClasses = 10;

std::string prefix(DataPart part) { return part == DataPart::kTrain ? "train" : "t10k"; }

}  // namespace

std::string idx_images_name(DataPart part) { return prefix(part) + "-images-idx3-ubyte"; }
std::string idx_labels_name(DataPart part) { return prefix(part) + "-labels-idx1-ubyte"; }

std::filesystem::path find_idx(const std::filesystem::path& folder, const std::string& official) {
  std::string dotted = official;
  if (const auto dash = dotted.rfind("-idx"); dash != std::string::npos) dotted[dash] = '.';
  for (const std::string& name : {official, official + ".gz", dotted, dotted + ".gz"}) {
    std::error_code failure;
    if (std::filesystem::exists(folder / name, failure)) return folder / name;
  }
  throw MissingFile(folder / official, fmt::format("{}: expected the file {} (or {}, each with or without .gz), found none of them",
                                                   folder.string(), official, dotted));
}

ImageDataset read_idx_images(const std::filesystem::path& folder, DataPart part, std::string_view objective) {
  const auto images_path = find_idx(folder, idx_images_name(part));
  const auto labels_path = find_idx(folder, idx_labels_name(part));
  IdxFile images = read_idx(images_path, 3);
  IdxFile labels = read_idx(labels_path, 1);
  expect(images.shape[0] == labels.shape[0], "{}: expected one label per image of {}, found {} labels and {} images", labels_path.string(),
         images_path.filename().string(), labels.shape[0], images.shape[0]);
  ImageDataset dataset;
  dataset.count = images.shape[0];
  dataset.height = images.shape[1];
  dataset.width = images.shape[2];
  dataset.pixels = std::move(images.values);
  dataset.objectives = {std::string(objective)};
  dataset.heads = {{.outputs = kClasses, .loss = Loss::kNll}};
  dataset.labels = {std::move(labels.values)};
  dataset.check(labels_path.string());
  return dataset;
}

}  // namespace paretofl
