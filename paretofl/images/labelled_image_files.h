#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// Writes those samples, at least one, as two IDX files of unsigned bytes: STEM-images.idx [n, C, H, W] and STEM-labels.idx [n, M].
void write_labelled_images(const ImageDataset& data, std::span<const std::uint32_t> samples, const std::filesystem::path& folder,
                           const std::string& stem);

/// Whether the folder holds either file. Throws Error where that can't be told.
bool has_labelled_images(const std::filesystem::path& folder, const std::string& stem);

/// Reads both files, plain or gzip-compressed. `kind` is a data set without images, which says of what size the images are and what their
/// labels mean. Throws Error, naming the file, for other sizes, for as many labels as there are no images of, for labels out of range, and
/// for more than `most` images, an error that names `limit` as what sets the number.
ImageDataset read_labelled_images(ImageDataset kind, const std::filesystem::path& folder, const std::string& stem, std::size_t most,
                                  const std::string& limit);

}  // namespace paretofl
