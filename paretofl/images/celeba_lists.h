#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/images/face_attributes.h"

namespace paretofl {

/// The parts of CelebA, in the order of their numbers in list_eval_partition.txt.
enum class CelebaPart : std::uint8_t { kTrain, kValidation, kTest };

/// What CelebA's lists say of one image.
struct CelebaImage {
  std::uint32_t number = 0;  ///< from 1 to 999,999
  FaceBits attributes = 0;
  CelebaPart part = CelebaPart::kTrain;

  /// Its file, such as 000001.jpg.
  std::string file_name() const;
};

/// Reads list_attr_celeba.txt: a line with the number of images, one with the 40 names of kFaceAttributeNames in their
/// order, then one for each image: its file and 40 times 1 or -1. Images may be missing, but their numbers rise. Lines
/// end in LF or, as published, in CR LF. Throws Error with the line if the text is anything else.
std::vector<CelebaImage> parse_celeba_attributes(std::string_view text, std::string_view name);

/// Reads list_eval_partition.txt and sets the parts: for each of the images, in this order, a line with its file and
/// 0 (train), 1 (validation) or 2 (test). Throws Error with the line if the text is anything else.
void parse_celeba_partition(std::string_view text, std::string_view name, std::vector<CelebaImage>& images);

/// Both lists from a folder, plain or gzip-compressed. Throws Error naming the file.
std::vector<CelebaImage> read_celeba_lists(const std::filesystem::path& folder);

}  // namespace paretofl
