#include "paretofl/kernels/attention_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
namespace {

constexpr std::size_t kRows = 4;  // tokens whose scores are computed together
static_assert(kLanes % kRows == 0, "the last ones of a head's padded tokens are whole rows too");

/// Element (i, j) at values + i * row + j * column.
struct Strided {
  const float* values;
  std::size_t row;
  std::size_t column;
};

// c [kRows, Blocks * kLanes] = (or +=) a [kRows, inner] b [inner, Blocks * kLanes].
template <std::size_t Blocks>
void product_tile(Strided a, std::size_t inner, const float* b, std::size_t b_row, float* c, std::size_t c_row, bool add) {
  std::array<std::array<Lanes, Blocks>, kRows> sums{};
  for (std::size_t i = 0; i < inner; ++i) {
#pragma GCC unroll 4
    for (std::size_t n = 0; n < Blocks; ++n) {
      const Lanes right = load_lanes(b + i * b_row + n * kLanes);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) sums[r][n] += a.values[r * a.row + i * a.column] * right;
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t n = 0; n < Blocks; ++n) {
      float* to = c + r * c_row + n * kLanes;
      store_lanes(to, add ? load_lanes(to) + sums[r][n] : sums[r][n]);
    }
  }
}

// The same for any whole number of registers of columns.
void product_rows(Strided a, std::size_t inner, const float* b, std::size_t b_row, std::size_t columns, float* c, std::size_t c_row,
                  bool add = false) {
  std::size_t j = 0;
  if constexpr (kLanes >= 16) {  // enough registers
    for (; j + 4 * kLanes <= columns; j += 4 * kLanes) product_tile<4>(a, inner, b + j, b_row, c + j, c_row, add);
  }
  for (; j + 2 * kLanes <= columns; j += 2 * kLanes) product_tile<2>(a, inner, b + j, b_row, c + j, c_row, add);
  for (; j < columns; j += kLanes) product_tile<1>(a, inner, b + j, b_row, c + j, c_row, add);
}

// One head's numbers with zeros around them, so that nothing below meets an edge.
class Head {
 public:
  explicit Head(const AttentionShape& shape)
      : shape_(shape), length_(whole_lanes(shape.length)), width_(whole_lanes(shape.width)), by_token_(length_ * width_) {}

  void read(HeadRows<const float> rows, std::size_t head) {
    for (std::size_t t = 0; t < shape_.length; ++t) {
      std::copy_n(rows.values + t * rows.stride + head * shape_.width, shape_.width, by_token_.data() + t * width_);
    }
  }
  void write(HeadRows<float> rows, std::size_t head) const {
    for (std::size_t t = 0; t < shape_.length; ++t) {
      std::copy_n(by_token_.data() + t * width_, shape_.width, rows.values + t * rows.stride + head * shape_.width);
    }
  }
  void transpose() {
    by_number_.resize(by_token_.size());
    constexpr std::size_t kTokens = 16;  // at a time, so that both sides stay in the cache
    for (std::size_t begin = 0; begin < length_; begin += kTokens) {
      const std::size_t end = std::min(begin + kTokens, length_);
      for (std::size_t i = 0; i < width_; ++i) {
        for (std::size_t t = begin; t < end; ++t) by_number_[i * length_ + t] = by_token_[t * width_ + i];
      }
    }
  }
  void clear() { std::fill(by_token_.begin(), by_token_.end(), 0.0F); }

  std::size_t length() const { return length_; }
  std::size_t width() const { return width_; }
  float* by_token(std::size_t token = 0) { return by_token_.data() + token * width_; }
  const float* by_number() const { return by_number_.data(); }

 private:
  AttentionShape shape_;
  std::size_t length_;
  std::size_t width_;
  std::vector<float> by_token_;   // [length, width]
  std::vector<float> by_number_;  // [width, length] once transposed
};

// Scores [columns], of which those before `count` are seen, or as many of them as a window has -> shares, zero elsewhere.
void softmax(float* scores, std::size_t window, std::size_t count, std::size_t columns, float scale) {
  if (window > 0 && count > window) std::fill(scores, scores + count - window, -INFINITY);
  std::fill(scores + count, scores + columns, -INFINITY);
  Lanes most = load_lanes(scores);
  for (std::size_t j = kLanes; j < columns; j += kLanes) {
    const Lanes part = load_lanes(scores + j);
    most = part > most ? part : most;
  }
  float largest = most[0];
  for (std::size_t n = 1; n < kLanes; ++n) largest = std::max(largest, most[n]);
  Lanes sum{};
  for (std::size_t j = 0; j < columns; j += kLanes) {
    const Lanes e = exp_lanes((load_lanes(scores + j) - largest) * scale);
    store_lanes(scores + j, e);
    sum += e;
  }
  const float inverse = 1 / sum_lanes(sum);
  for (std::size_t j = 0; j < columns; j += kLanes) store_lanes(scores + j, load_lanes(scores + j) * inverse);
}

// Gradients with respect to shares [columns], in place -> with respect to scores.
void softmax_gradient(const float* shares, float* by_shares, std::size_t columns, float scale) {
  Lanes sum{};
  for (std::size_t j = 0; j < columns; j += kLanes) sum += load_lanes(shares + j) * load_lanes(by_shares + j);
  const float mean = sum_lanes(sum);
  for (std::size_t j = 0; j < columns; j += kLanes)
    store_lanes(by_shares + j, load_lanes(shares + j) * (load_lanes(by_shares + j) - mean) * scale);
}

// The first token of those that are computed together and mixed.
std::size_t first_row(const AttentionShape& shape) { return shape.first / kRows * kRows; }

// How many numbers a head's shares take: a row of length for each token from the first row on.
std::size_t head_shares(const AttentionShape& shape) {
  const std::size_t length = whole_lanes(shape.length);
  return (length - first_row(shape)) * length;
}

}  // namespace

std::size_t attention_shares(const AttentionShape& shape) { return shape.heads * head_shares(shape); }

void causal_attention(const AttentionShape& shape, HeadRows<const float> q, HeadRows<const float> k, HeadRows<const float> v,
                      HeadRows<float> mixed, float* shares) {
  const float scale = 1 / std::sqrt(static_cast<float>(shape.width));
  Head keys(shape), values(shape), queries(shape), mix(shape);
  const std::size_t length = keys.length();
  const std::size_t width = keys.width();
  const std::size_t first = first_row(shape);
  std::vector<float> scratch(shares == nullptr ? kRows * length : 0);
  const std::size_t group = shape.heads / shape.pairs;
  for (std::size_t h = 0; h < shape.heads; ++h) {
    if (h % group == 0) {
      keys.read(k, h / group);
      keys.transpose();
      values.read(v, h / group);
    }
    queries.read(q, h);
    for (std::size_t t = first; t < shape.length; t += kRows) {
      const std::size_t seen = t + kRows;
      const std::size_t columns = whole_lanes(seen);
      float* rows = shares == nullptr ? scratch.data() : shares + h * head_shares(shape) + (t - first) * length;
      product_rows({queries.by_token(t), width, 1}, width, keys.by_number(), length, columns, rows, length);
      for (std::size_t r = 0; r < kRows; ++r) softmax(rows + r * length, shape.window, std::min(t + r + 1, shape.length), columns, scale);
      product_rows({rows, length, 1}, seen, values.by_token(), width, width, mix.by_token(t), width);
    }
    mix.write(mixed, h);
  }
}

void causal_attention_gradients(const AttentionShape& shape, HeadRows<const float> q, HeadRows<const float> k, HeadRows<const float> v,
                                HeadRows<const float> by_mixed, const float* shares, HeadRows<float> by_q, HeadRows<float> by_k,
                                HeadRows<float> by_v) {
  const float scale = 1 / std::sqrt(static_cast<float>(shape.width));
  Head keys(shape), values(shape), queries(shape), by_mix(shape), by_queries(shape), by_keys(shape), by_values(shape);
  const std::size_t length = keys.length();
  const std::size_t width = keys.width();
  const std::size_t first = first_row(shape);
  std::vector<float> by_scores(head_shares(shape));  // as the shares
  const std::size_t group = shape.heads / shape.pairs;
  for (std::size_t h = 0; h < shape.heads; ++h) {
    if (h % group == 0) {
      keys.read(k, h / group);
      values.read(v, h / group);
      values.transpose();
      by_keys.clear();
      by_values.clear();
    }
    queries.read(q, h);
    by_mix.read(by_mixed, h);
    const float* kept = shares + h * head_shares(shape);
    for (std::size_t t = first; t < shape.length; t += kRows) {
      const std::size_t seen = t + kRows;
      const std::size_t columns = whole_lanes(seen);
      float* rows = by_scores.data() + (t - first) * length;
      product_rows({by_mix.by_token(t), width, 1}, width, values.by_number(), length, columns, rows, length);
      for (std::size_t r = 0; r < kRows; ++r) softmax_gradient(kept + (t - first + r) * length, rows + r * length, columns, scale);
      product_rows({rows, length, 1}, seen, keys.by_token(), width, width, by_queries.by_token(t), width);
    }
    by_queries.write(by_q, h);
    const std::size_t last = (shape.length + kRows - 1) / kRows * kRows;
    for (std::size_t t = 0; t < shape.length && first < last; t += kRows) {  // what later tokens took from these
      const std::size_t taker = std::max(t, first);
      const std::size_t from = (taker - first) * length + t;
      product_rows({kept + from, 1, length}, last - taker, by_mix.by_token(taker), width, width, by_values.by_token(t), width, true);
      product_rows({by_scores.data() + from, 1, length}, last - taker, queries.by_token(taker), width, width, by_keys.by_token(t), width,
                   true);
    }
    if (h % group + 1 == group) {
      by_keys.write(by_k, h / group);
      by_values.write(by_v, h / group);
    }
  }
}

}  // namespace paretofl
