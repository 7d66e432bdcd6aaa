#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
// jpeglib.h needs stdio.h before it.
#include <jpeglib.h>

#include <span>
#include <vector>

namespace paretofl {

/// Pixels [3, height, width] as a JPEG file of that quality, by libjpeg.
inline std::vector<std::uint8_t> jpeg_bytes(std::span<const std::uint8_t> pixels, std::size_t height, std::size_t width, int quality = 95) {
  jpeg_compress_struct state{};
  jpeg_error_mgr errors{};
  state.err = jpeg_std_error(&errors);
  jpeg_create_compress(&state);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&state, &buffer, &size);
  state.image_height = static_cast<JDIMENSION>(height);
  state.image_width = static_cast<JDIMENSION>(width);
  state.input_components = 3;
  state.in_color_space = JCS_RGB;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, quality, TRUE);
  for (int c = 0; c < 3; ++c) state.comp_info[c].h_samp_factor = state.comp_info[c].v_samp_factor = 1;
  jpeg_start_compress(&state, TRUE);
  std::vector<std::uint8_t> row(3 * width);
  while (state.next_scanline < height) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) row[3 * x + c] = pixels[(c * height + state.next_scanline) * width + x];
    }
    JSAMPROW rows = row.data();
    jpeg_write_scanlines(&state, &rows, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  std::vector<std::uint8_t> bytes(buffer, buffer + size);
  std::free(buffer);
  return bytes;
}

}  // namespace paretofl
