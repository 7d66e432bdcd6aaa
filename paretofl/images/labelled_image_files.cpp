#include "paretofl/images/labelled_image_files.h"

#include "paretofl/core/error.h"
#include "paretofl/images/idx_file.h"

namespace paretofl {
namespace {

std::filesystem::path images_file(const std::filesystem::path& folder, const std::string& stem) { return folder / (stem + "-images.idx"); }
std::filesystem::path labels_file(const std::filesystem::path& folder, const std::string& stem) { return folder / (stem + "-labels.idx"); }

}  // namespace

void write_labelled_images(const ImageDataset& data, std::span<const std::uint32_t> samples, const std::filesystem::path& folder,
                           const std::string& stem) {
  IdxFile images{.shape = {samples.size(), data.channels, data.height, data.width}, .values = {}};
  IdxFile labels{.shape = {samples.size(), data.labels.size()}, .values = {}};
  images.values.reserve(samples.size() * data.image_size());
  for (const std::uint32_t sample : samples) {
    const auto image = data.image(sample);
    images.values.insert(images.values.end(), image.begin(), image.end());
    for (const auto& of_objective : data.labels) labels.values.push_back(of_objective[sample]);
  }
  write_idx(images_file(folder, stem), images);
  write_idx(labels_file(folder, stem), labels);
}

bool has_labelled_images(const std::filesystem::path& folder, const std::string& stem) {
  for (const auto& file : {images_file(folder, stem), labels_file(folder, stem)}) {
    std::error_code failure;
    if (std::filesystem::exists(file, failure)) return true;
    expect(!failure, "{}: expected to look for it, found: {}", file.string(), failure.message());
  }
  return false;
}

ImageDataset read_labelled_images(ImageDataset kind, const std::filesystem::path& folder, const std::string& stem, std::size_t most,
                                  const std::string& limit) {
  ImageDataset data = std::move(kind);
  const std::string name = images_file(folder, stem).string();
  IdxFile images = read_idx(name, 4);
  expect(images.shape[1] == data.channels && images.shape[2] == data.height && images.shape[3] == data.width,
         "{}: expected images of {} x {} x {} (channels, rows, columns), found {} x {} x {}", name, data.channels, data.height, data.width,
         images.shape[1], images.shape[2], images.shape[3]);
  data.count = images.shape[0];
  expect(data.count <= most, "{}: expected at most {} images ({}), found {}", name, most, limit, data.count);
  data.pixels = std::move(images.values);
  const std::string labels_name = labels_file(folder, stem).string();
  const IdxFile labels = read_idx(labels_name, 2);
  expect(labels.shape[0] == data.count && labels.shape[1] == data.objectives.size(),
         "{}: expected labels of {} images and {} objectives, found {} x {}", labels_name, data.count, data.objectives.size(),
         labels.shape[0], labels.shape[1]);
  data.labels.assign(data.objectives.size(), {});
  for (std::size_t i = 0; i < labels.values.size(); ++i) data.labels[i % data.labels.size()].push_back(labels.values[i]);
  data.check(labels_name);
  return data;
}

}  // namespace paretofl
