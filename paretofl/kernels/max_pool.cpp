#include "paretofl/kernels/max_pool.h"

#include <cstring>
#include <vector>

#include "paretofl/kernels/lanes.h"

namespace paretofl {
namespace {

// The largest number so far, and where it lies; or the largest of several windows side by side. Without a branch, so that the compiler
// computes several windows at once.
template <class Number, class Index>
struct Largest {
  void offer(Number number, Index at) {
    const auto taken = (number > value) | (number != number);  // NOLINT(misc-redundant-expression): NaN
    value = taken ? number : value;
    index = taken ? at : index;
  }

  Index index;
  Number value;
};

// The windows of two rows, of which `begin` is the index of the first number.
void pool_rows(const float* __restrict upper, const float* __restrict lower, std::int32_t begin, std::int32_t width,
               float* __restrict output, std::int64_t* __restrict indices) {
  for (std::int32_t j = 0; j < width / 2; ++j) {
    const std::int32_t at = begin + 2 * j;
    Largest<float, std::int32_t> largest{.index = at, .value = upper[2 * j]};
    largest.offer(upper[2 * j + 1], at + 1);
    largest.offer(lower[2 * j], at + width);
    largest.offer(lower[2 * j + 1], at + width + 1);
    output[j] = largest.value;
    indices[j] = largest.index;
  }
}

// The same, with several channels for each place of the image.
void pool_rows_of_channels(const float* upper, const float* lower, std::int32_t begin, std::int32_t width, std::size_t channels,
                           float* __restrict output, std::int64_t* __restrict indices) {
  for (std::int32_t at = begin; at + 1 < begin + width; at += 2) {
    for (std::size_t c = 0; c < channels; ++c) {
      Largest<float, std::int32_t> largest{.index = at, .value = upper[c]};
      largest.offer(upper[channels + c], at + 1);
      largest.offer(lower[c], at + width);
      largest.offer(lower[channels + c], at + width + 1);
      output[c] = largest.value;
      indices[c] = largest.index;
    }
    upper += 2 * channels;
    lower += 2 * channels;
    output += channels;
    indices += channels;
  }
}

// Images of one channel and an even width, whose rows have few windows and do not fill whole registers. First comes the larger number of
// each row of a window: there the rows follow each other without a gap, and registers are full. Then comes the larger of a window's two
// rows.
class ImagesWithoutGaps {
 public:
  ImagesWithoutGaps(std::size_t height, std::size_t width)
      : rows_(height / 2),
        columns_(width / 2),
        halves_(2 * rows_ * columns_ + kLanes),
        half_places_(halves_.size()),
        wholes_(rows_ * columns_ + kLanes),
        whole_places_(wholes_.size()) {}

  void pool(const float* image, float* output, std::int64_t* indices) {
    pool_halves(image, 2 * rows_ * columns_, halves_.data(), half_places_.data());
    for (std::size_t i = 0; i < rows_; ++i) pool_wholes(i);
    for (std::size_t at = 0; at < rows_ * columns_; ++at) {
      output[at] = wholes_[at];
      indices[at] = whole_places_[at];
    }
  }

 private:
  static void pool_halves(const float* __restrict image, std::size_t count, float* __restrict halves, std::int32_t* __restrict places) {
    for (std::size_t j = 0; j < count; ++j) {
      const auto at = static_cast<std::int32_t>(2 * j);
      Largest<float, std::int32_t> largest{.index = at, .value = image[2 * j]};
      largest.offer(image[2 * j + 1], at + 1);
      halves[j] = largest.value;
      places[j] = largest.index;
    }
  }

  // In whole registers: what is written behind the end of a row is written again with the next row.
  void pool_wholes(std::size_t row) {
    const std::size_t upper = 2 * row * columns_;
    const std::size_t lower = upper + columns_;
    for (std::size_t j = 0; j < columns_; j += kLanes) {
      Largest<Lanes, LaneInts> largest{.index = load_places(upper + j), .value = load_lanes(&halves_[upper + j])};
      largest.offer(load_lanes(&halves_[lower + j]), load_places(lower + j));
      store_lanes(&wholes_[row * columns_ + j], largest.value);
      std::memcpy(&whole_places_[row * columns_ + j], &largest.index, sizeof(LaneInts));
    }
  }

  LaneInts load_places(std::size_t at) const {
    LaneInts places;
    std::memcpy(&places, &half_places_[at], sizeof(LaneInts));
    return places;
  }

  std::size_t rows_, columns_;
  std::vector<float> halves_;
  std::vector<std::int32_t> half_places_;
  std::vector<float> wholes_;
  std::vector<std::int32_t> whole_places_;
};

}  // namespace

void max_pool_by_two(std::size_t count, std::size_t height, std::size_t width, std::size_t channels, const float* input, float* output,
                     std::int64_t* indices) {
  const std::size_t columns = width / 2;
  if (channels == 1 && width % 2 == 0 && columns % kLanes != 0 && columns < 3 * kLanes) {
    ImagesWithoutGaps images(height, width);
    for (std::size_t image = 0; image < count; ++image) {
      images.pool(input + image * height * width, output + image * (height / 2) * columns, indices + image * (height / 2) * columns);
    }
    return;
  }
  for (std::size_t image = 0; image < count; ++image) {
    for (std::size_t i = 0; i < height / 2; ++i) {
      const float* upper = input + (image * height + 2 * i) * width * channels;
      const float* lower = upper + width * channels;
      const auto begin = static_cast<std::int32_t>(2 * i * width);
      if (channels == 1) {
        pool_rows(upper, lower, begin, static_cast<std::int32_t>(width), output, indices);
      } else {
        pool_rows_of_channels(upper, lower, begin, static_cast<std::int32_t>(width), channels, output, indices);
      }
      output += columns * channels;
      indices += columns * channels;
    }
  }
}

}  // namespace paretofl
