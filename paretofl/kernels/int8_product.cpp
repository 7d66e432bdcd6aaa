#include "paretofl/kernels/int8_product.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace paretofl {
namespace {

constexpr float kLargestInt8 = 127;    // of those used
constexpr float kRounding = 12582912;  // 1.5 * 2^23: what is added to it is rounded to an integer
constexpr std::int32_t kOffset = 128;  // is added to those of x, which are multiplied as unsigned numbers
constexpr std::size_t kMaxIn = 65536;  // 65536 * 255 * 127 < 2^31

// Vectors of 16-bit integers, two for each of kLanes.
using LaneShorts = std::int16_t __attribute__((vector_size(kLanes * sizeof(float))));

// For each lane the sum of the products of two pairs of 16-bit integers.
inline LaneInts multiply_pairs(LaneShorts a, LaneShorts b) {
#if defined(__AVX512F__) || defined(PARETOFL_AVX512)
  return reinterpret_cast<LaneInts>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<LaneInts>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__) && !defined(__AVX__)
  return reinterpret_cast<LaneInts>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  LaneInts sums;
  for (std::size_t n = 0; n < kLanes; ++n) sums[n] = a[2 * n] * b[2 * n] + a[2 * n + 1] * b[2 * n + 1];
  return sums;
#endif
}

// sum + the products of four unsigned 8-bit integers x with four signed ones w, which all lanes share.
struct PlainDot {
  static LaneInts add(LaneInts sum, LaneInts x, std::int32_t w) {
    using LaneHalves = std::uint16_t __attribute__((vector_size(kLanes * sizeof(float))));
    const auto unsigned_halves = reinterpret_cast<LaneHalves>(x);
    const auto signed_halves = reinterpret_cast<LaneShorts>(LaneInts{} + w);
    const auto x_even = reinterpret_cast<LaneShorts>(unsigned_halves & 0xFF);
    const auto x_odd = reinterpret_cast<LaneShorts>(unsigned_halves >> 8);
    const LaneShorts w_even = reinterpret_cast<LaneShorts>(reinterpret_cast<LaneHalves>(signed_halves) << 8) >> 8;
    const LaneShorts w_odd = signed_halves >> 8;
    return sum + multiply_pairs(x_even, w_even) + multiply_pairs(x_odd, w_odd);
  }
};

#if defined(__AVX__)
// The same by one instruction of AVX512-VNNI, which the library is not compiled for: the caller asks the processor first. (GCC does not
// inline a function for another instruction set than its caller's, so that intrinsics cannot be used in a shared template.)
struct VnniDot {
  static bool available() { return __builtin_cpu_supports("avx512vnni") != 0 && __builtin_cpu_supports("avx512vl") != 0; }
  static LaneInts add(LaneInts sum, LaneInts x, std::int32_t w) {
    asm("vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(LaneInts{} + w));
    return sum;
  }
};
#endif

// Rows of Lanes as integers, four consecutive ones in 32 bits.
struct Int8Rows {
  std::vector<LaneInts> quads;  // [blocks, quads]
  std::vector<Lanes> scales;    // [blocks]
};

void round_rows(const Int8Matrix& w, const Lanes* x, std::size_t blocks, Int8Rows& rows) {
  const std::size_t in = w.in();
  rows.quads.resize(blocks * w.quads());
  rows.scales.resize(blocks);
  for (std::size_t b = 0; b < blocks; ++b, x += in) {
    Lanes most{};
    for (std::size_t i = 0; i < in; ++i) {
      const Lanes size = x[i] < 0 ? -x[i] : x[i];
      most = size <= most ? most : size;  // a NaN stays, and is in all that follows
    }
    const Lanes scale = most / kLargestInt8;
    rows.scales[b] = scale;
    const Lanes factor = most > 1e-30F ? kLargestInt8 / most : Lanes{};
    const auto integer = [&](std::size_t i) {
      if (i >= in) return LaneInts{};                                                   // which zeros of W are multiplied with
      return reinterpret_cast<LaneInts>(x[i] * factor + (kRounding + kOffset)) & 0xFF;  // the last bits are the integer
    };
    LaneInts* quads = rows.quads.data() + b * w.quads();
    for (std::size_t i = 0; i < in; i += Int8Matrix::kTerms) {
      quads[i / Int8Matrix::kTerms] = integer(i) | integer(i + 1) << 8 | integer(i + 2) << 16 | integer(i + 3) << 24;
    }
  }
}

// The rows of one panel with Blocks blocks.
template <class Dot, std::size_t Blocks>
inline void int8_panel(const Int8Matrix& w, std::size_t panel, const Int8Rows& x, std::size_t block, Lanes* y) {
  constexpr std::size_t kRows = Int8Matrix::kPanelRows;
  const std::size_t quads = w.quads();
  const std::int32_t* values = w.panel(panel);
  const LaneInts* inputs = x.quads.data() + block * quads;
  LaneInts sums[kRows][Blocks]{};
  for (std::size_t q = 0; q < quads; ++q, values += kRows) {
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
      for (std::size_t b = 0; b < Blocks; ++b) sums[r][b] = Dot::add(sums[r][b], inputs[b * quads + q], values[r]);
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::size_t row = panel * kRows + r;
    if (row >= w.out()) break;
#pragma GCC unroll 2
    for (std::size_t b = 0; b < Blocks; ++b) {
      const LaneInts exact = sums[r][b] - kOffset * w.sum(row);
      y[(block + b) * w.out() + row] = __builtin_convertvector(exact, Lanes) * (x.scales[block + b] * w.scale(row));
    }
  }
}

template <class Dot>
void int8_panels(const Int8Matrix& w, const Int8Rows& x, std::size_t blocks, Lanes* y) {
  for (std::size_t panel = 0; panel * Int8Matrix::kPanelRows < w.out(); ++panel) {
    std::size_t block = 0;
    for (; block + 2 <= blocks; block += 2) int8_panel<Dot, 2>(w, panel, x, block, y);
    if (block < blocks) int8_panel<Dot, 1>(w, panel, x, block, y);
  }
}

}  // namespace

Int8Matrix::Int8Matrix(const LaneMatrix& w) : in_(w.in), scales_(w.out), sums_(w.out) {
  expect(w.in <= kMaxIn, "8-bit weights: expected rows of at most {} numbers, found {}", kMaxIn, w.in);
  panels_.resize((w.out + kPanelRows - 1) / kPanelRows * kPanelRows * quads());
  for (std::size_t row = 0; row < w.out; ++row) {
    const float* values = w.values + row * w.out_stride;
    float most = 0;
    for (std::size_t i = 0; i < in_; ++i) {
      const float value = values[i * w.in_stride];
      expect(std::isfinite(value), "8-bit weights: expected finite numbers, found {}", value);
      most = std::max(most, std::abs(value));
    }
    scales_[row] = most / kLargestInt8;
    std::int32_t* quads_of_row = panels_.data() + row / kPanelRows * kPanelRows * quads() + row % kPanelRows;
    for (std::size_t i = 0; i < in_ && scales_[row] > 0; ++i) {
      const float steps = std::clamp(values[i * w.in_stride] / scales_[row], -kLargestInt8, kLargestInt8);
      const auto q = static_cast<std::int32_t>(steps + kRounding - kRounding);
      sums_[row] += q;
      auto& quad = reinterpret_cast<std::uint32_t&>(quads_of_row[i / kTerms * kPanelRows]);
      quad |= static_cast<std::uint32_t>(q & 0xFF) << (8 * (i % kTerms));
    }
  }
}

float Int8Matrix::at(std::size_t row, std::size_t column) const {
  const std::int32_t quad = panel(row / kPanelRows)[column / kTerms * kPanelRows + row % kPanelRows];
  return scales_[row] * static_cast<float>(static_cast<std::int8_t>(quad >> (8 * (column % kTerms))));
}

void int8_product(const Int8Matrix& w, const Lanes* x, std::size_t blocks, Lanes* y, [[maybe_unused]] Int8Instructions instructions) {
  thread_local Int8Rows rows;  // whose memory the next call takes again
  round_rows(w, x, blocks, rows);
#if defined(__AVX__)
  static const bool kVnni = VnniDot::available();
  if (instructions == Int8Instructions::kFastest && kVnni) return int8_panels<VnniDot>(w, rows, blocks, y);
#endif
  int8_panels<PlainDot>(w, rows, blocks, y);
}

}  // namespace paretofl
