#include "paretofl/images/jpeg_file.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs stdio.h before it.
#include <jpeglib.h>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/data/file_bytes.h"
#include "paretofl/files/data_files.h"
#include "paretofl/files/missing_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxJpegFile = std::size_t{1} << 26;
constexpr int kMaxScans = 100;  // of a progressive file; without a limit, a small file can take minutes

// What libjpeg calls instead of exit(): jumps back with the message.
struct Failure {
  jpeg_error_mgr manager{};
  std::jmp_buf back{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void fail(j_common_ptr context) {
  auto* failure = reinterpret_cast<Failure*>(context->err);
  failure->manager.format_message(context, failure->message.data());
  std::longjmp(failure->back, 1);
}

void fail_on_warning(j_common_ptr context, int level) {
  if (level < 0) fail(context);
}

void limit_scans(j_common_ptr context) {
  const auto* decoder = reinterpret_cast<j_decompress_ptr>(context);
  if (decoder->input_scan_number <= kMaxScans) return;
  auto* failure = reinterpret_cast<Failure*>(context->err);
  std::snprintf(failure->message.data(), failure->message.size(), "more than %d scans", kMaxScans);
  std::longjmp(failure->back, 1);
}

struct Decoder {
  jpeg_decompress_struct state{};
  jpeg_progress_mgr progress{};
  Failure failure;
  JpegImage image;
  std::vector<std::uint8_t> row;

  ~Decoder() { jpeg_destroy_decompress(&state); }
};

// What libjpeg may jump out of: nothing here has a destructor that a jump would skip.
bool decode(std::span<const std::uint8_t> content, Decoder& decoder) {
  jpeg_decompress_struct& state = decoder.state;
  if (setjmp(decoder.failure.back) != 0) return false;  // NOLINT(cert-err52-cpp): libjpeg's way of reporting errors
  jpeg_create_decompress(&state);
  decoder.progress.progress_monitor = limit_scans;
  state.progress = &decoder.progress;
  jpeg_mem_src(&state, content.data(), content.size());
  jpeg_read_header(&state, TRUE);
  if (state.image_height > kMaxJpegSide || state.image_width > kMaxJpegSide) {
    std::snprintf(decoder.failure.message.data(), decoder.failure.message.size(), "%u x %u pixels", state.image_height, state.image_width);
    return false;
  }
  state.out_color_space = JCS_RGB;
  jpeg_start_decompress(&state);
  const std::size_t height = state.output_height, width = state.output_width;
  decoder.image.height = height;
  decoder.image.width = width;
  decoder.image.pixels.resize(3 * height * width);
  decoder.row.resize(3 * width);
  while (state.output_scanline < height) {
    std::uint8_t* const out = decoder.image.pixels.data() + state.output_scanline * width;
    JSAMPROW row = decoder.row.data();
    jpeg_read_scanlines(&state, &row, 1);
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) out[c * height * width + x] = row[3 * x + c];
    }
  }
  jpeg_finish_decompress(&state);
  return true;
}

}  // namespace

JpegImage decode_jpeg(std::span<const std::uint8_t> content, const std::string& name) {
  Decoder decoder;
  decoder.state.err = jpeg_std_error(&decoder.failure.manager);
  decoder.failure.manager.error_exit = fail;
  decoder.failure.manager.emit_message = fail_on_warning;
  expect(!content.empty(), "{}: expected a JPEG image, found no bytes", name);
  expect(decode(content, decoder), "{}: expected an intact JPEG image of at most {} x {} pixels, found: {}", name, kMaxJpegSide,
         kMaxJpegSide, decoder.failure.message.data());
  return std::move(decoder.image);
}

std::vector<std::filesystem::path> jpeg_files(const std::filesystem::path& folder) {
  std::error_code failure;
  if (!std::filesystem::is_directory(folder, failure)) {
    throw MissingFile(folder, folder.string() + ": expected a folder of JPEG files, found none");
  }
  std::vector<std::filesystem::path> files = data_files(folder, {".jpg", ".jpeg"});
  expect(!files.empty(), "{}: expected JPEG files, found none", folder.string());
  return files;
}

void for_each_jpeg(const std::vector<std::filesystem::path>& files, const std::function<void(std::size_t, const JpegImage&)>& take) {
  ThreadPool pool(std::max(1U, std::thread::hardware_concurrency()));
  pool.for_each(files.size(), [&](std::size_t i) { take(i, decode_jpeg(read_bytes(files[i], kMaxJpegFile), files[i].string())); });
}

}  // namespace paretofl
