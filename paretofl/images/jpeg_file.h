#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

struct JpegImage {
  std::size_t height = 0;
  std::size_t width = 0;
  std::vector<std::uint8_t> pixels;  ///< [3, height, width]: red, green, blue
};

/// Largest height and width accepted, in pixels.
inline constexpr std::size_t kMaxJpegSide = 4096;

/// Decodes a JPEG file in memory; grey ones get three equal channels. Throws Error naming `name` if it is no
/// JPEG, damaged (also where libjpeg itself would only warn), truncated or too large.
JpegImage decode_jpeg(std::span<const std::uint8_t> content, const std::string& name);

/// The files *.jpg (or *.jpeg) right in the folder, sorted by name. Throws Error if it is no folder or has none.
std::vector<std::filesystem::path> jpeg_files(const std::filesystem::path& folder);

/// Reads and decodes every file and calls take(index, image), on as many threads as the machine has cores, in any
/// order. Throws the Error of the first file that has one.
void for_each_jpeg(const std::vector<std::filesystem::path>& files, const std::function<void(std::size_t, const JpegImage&)>& take);

}  // namespace paretofl
