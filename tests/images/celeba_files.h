#pragma once

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "paretofl/images/face_images.h"
#include "paretofl/images/image_resize.h"
#include "paretofl/workloads/celeba.h"
#include "tests/images/jpeg_bytes.h"

namespace paretofl {

/// Images of each part: train, validation, test.
using CelebaCounts = std::array<std::size_t, 3>;

/// list_attr_celeba.txt of images 1, 2, ... with the published file's blanks and line ends.
inline std::string celeba_attribute_list(std::span<const FaceBits> faces) {
  std::string text = fmt::format("{}\r\n", faces.size());
  for (const char* name : kFaceAttributeNames) text += fmt::format("{} ", name);
  text += "\r\n";
  for (std::size_t i = 0; i < faces.size(); ++i) {
    text += fmt::format("{:06}.jpg {}", i + 1, has_attribute(faces[i], 0) ? 1 : -1);
    for (std::size_t k = 1; k < kFaceAttributes; ++k) text += has_attribute(faces[i], k) ? "  1" : " -1";
    text += "\r\n";
  }
  return text;
}

/// list_eval_partition.txt likewise.
inline std::string celeba_partition_list(const CelebaCounts& counts) {
  std::string text;
  std::size_t image = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < counts[part]; ++i) text += fmt::format("{:06}.jpg {}\r\n", ++image, part);
  }
  return text;
}

/// Writes both lists and img_align_celeba/: a face drawn for each row of attributes (draw_faces), stretched to CelebA's
/// size and saved as JPEG.
inline void write_celeba_files(const std::filesystem::path& folder, std::span<const FaceBits> faces, const CelebaCounts& counts,
                               double noise, const Random& random) {
  std::filesystem::create_directories(folder / "img_align_celeba");
  const ImageDataset images = draw_faces(faces, noise, random);
  std::vector<std::uint8_t> stretched(3 * kCelebaHeight * kCelebaWidth);
  for (std::size_t i = 0; i < images.count; ++i) {
    resize_bilinear(images.image(i), images.height, images.width, 3, stretched, kCelebaHeight, kCelebaWidth);
    const auto bytes = jpeg_bytes(stretched, kCelebaHeight, kCelebaWidth);
    const CelebaImage image{.number = static_cast<std::uint32_t>(i + 1)};
    std::ofstream(folder / "img_align_celeba" / image.file_name(), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::ofstream(folder / "list_attr_celeba.txt", std::ios::binary) << celeba_attribute_list(faces);
  std::ofstream(folder / "list_eval_partition.txt", std::ios::binary) << celeba_partition_list(counts);
}

/// Faces with every attribute at even odds, independently.
inline std::vector<FaceBits> even_faces(std::size_t count, std::uint64_t seed) {
  Random random({.seed = seed}, "even faces");
  std::vector<FaceBits> faces(count);
  for (FaceBits& face : faces) face = random.below(FaceBits{1} << kFaceAttributes);
  return faces;
}

}  // namespace paretofl
