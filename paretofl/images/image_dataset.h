#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

/// N images with one label per objective. Pixels stay bytes: 60,000 images of 28 x 28 are 47 MB.
struct ImageDataset {
  std::size_t count = 0;  ///< N
  std::size_t channels = 1;
  std::size_t height = 0;
  std::size_t width = 0;
  std::vector<std::uint8_t> pixels;               ///< [N, C, H, W]
  std::vector<std::string> objectives;            ///< [M] names
  std::vector<Head> heads;                        ///< [M] what the labels of objective m mean
  std::vector<std::vector<std::uint8_t>> labels;  ///< [M][N]
  std::vector<std::uint32_t> strata;              ///< [N] what clients draw their shares of; empty: joint_labels()

  std::size_t image_size() const { return channels * height * width; }
  std::span<const std::uint8_t> image(std::size_t sample) const { return std::span(pixels).subspan(sample * image_size(), image_size()); }
  std::span<std::uint8_t> image(std::size_t sample) { return std::span(pixels).subspan(sample * image_size(), image_size()); }

  /// Throws Error naming `what` unless the fields agree with each other and every label is in range.
  void check(const std::string& what) const;
};

/// [N] all of a sample's labels as one number: the first objective's label is the most significant digit,
/// such as 10 * left + right for two digits.
std::vector<std::uint32_t> joint_labels(const ImageDataset& dataset);

}  // namespace paretofl
