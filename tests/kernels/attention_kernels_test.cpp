#include "paretofl/kernels/attention_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

// Queries, keys and values of one sequence, in rows that are longer than their numbers.
struct Case {
  AttentionShape shape;
  std::size_t stride;
  std::vector<double> q, k, v;

  explicit Case(AttentionShape shape) : shape(shape), stride(shape.heads * shape.width + 3) {
    Random random({100 * shape.length + shape.width}, "attention");
    for (std::vector<double>* part : {&q, &k, &v}) {
      part->resize(shape.length * stride);
      for (double& x : *part) x = static_cast<float>(random.normal());
    }
  }

  double& at(std::vector<double>& part, std::size_t token, std::size_t head, std::size_t i) const {
    return part[token * stride + head * shape.width + i];
  }

  // The definition, in float64: [length, heads * width].
  std::vector<double> mixed() {
    std::vector<double> result;
    for (std::size_t t = 0; t < shape.length; ++t) {
      for (std::size_t h = 0; h < shape.heads; ++h) {
        const std::size_t pair = h / (shape.heads / shape.pairs);
        std::vector<double> shares(t + 1);
        double sum = 0;
        for (std::size_t s = 0; s <= t; ++s) {
          double score = 0;
          for (std::size_t i = 0; i < shape.width; ++i) score += at(q, t, h, i) * at(k, s, pair, i);
          sum += shares[s] = std::exp(score / std::sqrt(static_cast<double>(shape.width)));
        }
        for (std::size_t i = 0; i < shape.width; ++i) {
          double value = 0;
          for (std::size_t s = 0; s <= t; ++s) value += shares[s] / sum * at(v, s, pair, i);
          result.push_back(value);
        }
      }
    }
    return result;
  }

  HeadRows<const float> rows(const std::vector<float>& part) const { return {part.data(), stride}; }
};

std::vector<float> narrow(const std::vector<double>& values) { return {values.begin(), values.end()}; }

class AttentionKernels : public testing::TestWithParam<AttentionShape> {};

TEST_P(AttentionKernels, AreTheDefinition) {
  Case c(GetParam());
  const std::vector<float> q = narrow(c.q), k = narrow(c.k), v = narrow(c.v);
  const std::vector<double> expected = c.mixed();
  const std::size_t width = c.shape.heads * c.shape.width;
  std::vector<float> mixed(expected.size(), NAN), again(expected.size(), NAN), shares(attention_shares(c.shape), NAN);
  causal_attention(c.shape, c.rows(q), c.rows(k), c.rows(v), {mixed.data(), width}, shares.data());
  causal_attention(c.shape, c.rows(q), c.rows(k), c.rows(v), {again.data(), width}, nullptr);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(mixed[i], expected[i], 2e-6) << i;
  EXPECT_EQ(mixed, again) << "with and without room for the shares";
}

TEST_P(AttentionKernels, GradientsAreThoseOfDifferences) {
  Case c(GetParam());
  const std::vector<float> q = narrow(c.q), k = narrow(c.k), v = narrow(c.v);
  const std::size_t width = c.shape.heads * c.shape.width;
  std::vector<float> mixed(c.shape.length * width), by_mixed(mixed.size()), shares(attention_shares(c.shape), NAN);
  for (std::size_t i = 0; i < by_mixed.size(); ++i) by_mixed[i] = static_cast<float>(i % 5) - 1.5F;
  causal_attention(c.shape, c.rows(q), c.rows(k), c.rows(v), {mixed.data(), width}, shares.data());
  std::vector<float> by_q(q.size(), NAN), by_k(k.size(), NAN), by_v(v.size(), NAN);
  causal_attention_gradients(c.shape, c.rows(q), c.rows(k), c.rows(v), {by_mixed.data(), width}, shares.data(), {by_q.data(), c.stride},
                             {by_k.data(), c.stride}, {by_v.data(), c.stride});
  const auto loss = [&] {
    const std::vector<double> values = c.mixed();
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * by_mixed[i];
    return sum;
  };
  const auto check = [&](std::vector<double>& part, const std::vector<float>& by_part, std::size_t heads) {
    const std::size_t step = c.shape.length * heads * c.shape.width / 40 | 1;  // some forty of them, of any place in a row
    for (std::size_t n = 0; n < c.shape.length * heads * c.shape.width; n += step) {
      const std::size_t token = n / (heads * c.shape.width);
      double& x = part[token * c.stride + n % (heads * c.shape.width)];
      const double was = x;
      x = was + 1e-5;
      const double above = loss();
      x = was - 1e-5;
      const double below = loss();
      x = was;
      ASSERT_NEAR(by_part[token * c.stride + n % (heads * c.shape.width)], (above - below) / 2e-5, 2e-5) << n;
    }
  };
  check(c.q, by_q, c.shape.heads);
  check(c.k, by_k, c.shape.pairs);
  check(c.v, by_v, c.shape.pairs);
  for (std::size_t t = 0; t < c.shape.length; ++t) {
    for (std::size_t i = c.shape.heads * c.shape.width; i < c.stride; ++i)
      EXPECT_TRUE(std::isnan(by_q[t * c.stride + i])) << "written between rows";
  }
}

TEST_P(AttentionKernels, TokensBeforeTheFirstAreSeenOnly) {
  const Case c(GetParam());
  const std::vector<float> q = narrow(c.q), k = narrow(c.k), v = narrow(c.v);
  const std::size_t width = c.shape.heads * c.shape.width;
  for (const std::size_t first : {std::size_t{1}, c.shape.length / 2, c.shape.length - 1, c.shape.length}) {
    std::vector<float> by_mixed(c.shape.length * width);
    for (std::size_t i = first * width; i < by_mixed.size(); ++i) by_mixed[i] = static_cast<float>(i % 5) - 1.5F;
    const auto pass = [&](const AttentionShape& shape) {
      std::vector<float> mixed(by_mixed.size()), shares(attention_shares(shape), NAN);
      causal_attention(shape, c.rows(q), c.rows(k), c.rows(v), {mixed.data(), width}, shares.data());
      std::vector<float> by_q(q.size()), by_k(k.size()), by_v(v.size());
      causal_attention_gradients(shape, c.rows(q), c.rows(k), c.rows(v), {by_mixed.data(), width}, shares.data(), {by_q.data(), c.stride},
                                 {by_k.data(), c.stride}, {by_v.data(), c.stride});
      mixed.erase(mixed.begin(), mixed.begin() + static_cast<std::ptrdiff_t>(first * width));
      return std::vector{mixed, by_q, by_k, by_v};
    };
    AttentionShape later = c.shape;
    later.first = first;
    EXPECT_EQ(pass(later), pass(c.shape)) << first;
    EXPECT_LE(attention_shares(later), attention_shares(c.shape));
  }
  AttentionShape last = c.shape;
  last.first = last.length - 1;
  EXPECT_LE(attention_shares(last), attention_shares(c.shape) / c.shape.length * 20) << "the shares of less than twenty tokens";
}

// Lengths and widths about those of registers and of the rows that are computed together; shared keys and values.
INSTANTIATE_TEST_SUITE_P(Shapes, AttentionKernels,
                         testing::Values(AttentionShape{1, 1, 1, 6}, AttentionShape{3, 2, 2, 16}, AttentionShape{5, 4, 2, 6},
                                         AttentionShape{16, 2, 1, 32}, AttentionShape{17, 3, 3, 20}, AttentionShape{33, 4, 1, 64},
                                         AttentionShape{70, 2, 2, 80}));

TEST(AttentionKernels, LargeScoresDoNotOverflow) {
  const AttentionShape shape{4, 1, 1, 2};
  const std::vector<float> q(8, 1e4F), v{1, 1, 2, 2, 3, 3, 4, 4};
  std::vector<float> k(8, 1e4F);
  k[2] = k[3] = 2e4F;  // the second token's
  std::vector<float> mixed(8);
  causal_attention(shape, {q.data(), 2}, {k.data(), 2}, {v.data(), 2}, {mixed.data(), 2}, nullptr);
  EXPECT_EQ(mixed, (std::vector<float>{1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(AttentionKernels, WhatIsNotANumberStaysNone) {
  const AttentionShape shape{3, 1, 1, 2};
  const std::vector<float> v(6, 1);
  std::vector<float> q(6, 1), mixed(6);
  q[2] = std::numeric_limits<float>::quiet_NaN();
  causal_attention(shape, {q.data(), 2}, {v.data(), 2}, {v.data(), 2}, {mixed.data(), 2}, nullptr);
  EXPECT_EQ(mixed[0], 1);
  EXPECT_TRUE(std::isnan(mixed[2]));
  EXPECT_EQ(mixed[4], 1);
}

}  // namespace
}  // namespace paretofl
