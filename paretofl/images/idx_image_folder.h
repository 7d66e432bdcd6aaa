#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "paretofl/data/data_part.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

/// The path of `official` (such as "train-images-idx3-ubyte") in the folder, under that name or with a
/// dot before "idx", each with or without ".gz". Throws Error listing the accepted names if there is none.
std::filesystem::path find_idx(const std::filesystem::path& folder, const std::string& official);

/// The official names of a part's files: "train-images-idx3-ubyte", "t10k-labels-idx1-ubyte", ...
std::string idx_images_name(DataPart part);
std::string idx_labels_name(DataPart part);

/// Reads a part of MNIST or of a set in its format (ten classes, grey images) from a folder with the
/// official files, as a data set of one objective of that name. Throws Error naming the file.
ImageDataset read_idx_images(const std::filesystem::path& folder, DataPart part, std::string_view objective);

}  // namespace paretofl
