#include "paretofl/language/token_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
namespace {

float largest(std::span<const float> values) {
  Lanes most = Lanes{} - INFINITY;
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    const Lanes x = load_lanes(values.data() + i);
    most = x > most ? x : most;
  }
  float result = -INFINITY;
  for (std::size_t n = 0; n < kLanes; ++n) result = std::max(result, most[n]);
  for (; i < values.size(); ++i) result = std::max(result, values[i]);
  return result;
}

// e^((x - shift) * factor) of every x, and their sum; `odds` may be empty.
double exponentials(std::span<const float> values, float shift, float factor, float* odds) {
  // Blocks keep float32 sums short.
  constexpr std::size_t kBlock = 64 * kLanes;
  double sum = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, values.size());
    Lanes partial{};
    std::size_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      const Lanes e = exp_lanes((load_lanes(values.data() + i) - shift) * factor);
      partial += e;
      if (odds != nullptr) store_lanes(odds + i, e);
    }
    sum += sum_lanes(partial);
    for (; i < end; ++i) {
      const Lanes e = exp_lanes(Lanes{} + (values[i] - shift) * factor);
      sum += e[0];
      if (odds != nullptr) odds[i] = e[0];
    }
  }
  return sum;
}

}  // namespace

double log_sum_exp(std::span<const float> logits, double factor) {
  const float shift = largest(logits);
  const double sum = factor * shift + std::log(exponentials(logits, shift, static_cast<float>(factor), nullptr));
  expect(std::isfinite(sum), "language model: expected finite logits, found a sum of exponentials with the logarithm {}", sum);
  return sum;
}

TokenSampler::TokenSampler(const Sampling& sampling)
    : temperature_(sampling.temperature),
      top_k_(static_cast<std::size_t>(std::max<std::int64_t>(sampling.top_k, 0))),
      top_p_(sampling.top_p),
      min_p_(sampling.min_p) {
  expect(sampling.max_new_tokens >= 1, "sampling: expected at least 1 new token, found {}", sampling.max_new_tokens);
  expect(sampling.temperature >= 0 && std::isfinite(sampling.temperature),
         "sampling: expected a finite temperature of at least 0, found {}", sampling.temperature);
  expect(sampling.top_k >= 0, "sampling: expected a top_k of at least 0, found {}", sampling.top_k);
  expect(sampling.top_p > 0 && sampling.top_p <= 1, "sampling: expected a top_p in (0, 1], found {}", sampling.top_p);
  expect(sampling.min_p >= 0 && sampling.min_p <= 1, "sampling: expected a min_p in [0, 1], found {}", sampling.min_p);
}

// Sets the odds of all but the chosen tokens to 0.
void TokenSampler::cut(std::size_t tokens) {
  cut_by_rank(tokens);
  if (min_p_ == 0) return;
  // The most probable token's odds are 1.
  for (float& odds : odds_) odds = static_cast<double>(odds) < min_p_ ? 0 : odds;
}

void TokenSampler::cut_by_rank(std::size_t tokens) {
  const bool by_count = top_k_ > 0 && top_k_ < tokens;
  if (!by_count && top_p_ >= 1) return;
  order_.resize(tokens);
  std::iota(order_.begin(), order_.end(), 0);
  const auto before = [&](TokenId a, TokenId b) {
    const float x = odds_[static_cast<std::size_t>(a)];
    const float y = odds_[static_cast<std::size_t>(b)];
    return x > y || (x == y && a < b);
  };
  std::size_t kept = tokens;
  if (by_count) {
    kept = top_k_;
    std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(), before);
  }
  if (top_p_ < 1) {
    double total = 0;
    for (std::size_t i = 0; i < kept; ++i) total += odds_[static_cast<std::size_t>(order_[i])];
    // Sorted as far as needed: the nucleus is small as a rule.
    double held = 0;
    std::size_t nucleus = 0;
    for (std::size_t sorted = 0; nucleus < kept && held < top_p_ * total; ++nucleus) {
      if (nucleus == sorted) {
        const std::size_t next = std::min(std::max<std::size_t>(64, 2 * sorted), kept);
        std::partial_sort(order_.begin() + static_cast<std::ptrdiff_t>(sorted), order_.begin() + static_cast<std::ptrdiff_t>(next),
                          order_.begin() + static_cast<std::ptrdiff_t>(kept), before);
        sorted = next;
      }
      held += odds_[static_cast<std::size_t>(order_[nucleus])];
    }
    kept = std::max<std::size_t>(nucleus, 1);
  }
  for (std::size_t i = kept; i < tokens; ++i) odds_[static_cast<std::size_t>(order_[i])] = 0;
}

TokenId TokenSampler::draw(std::span<const float> logits, Random& random) {
  const float most = largest(logits);
  if (temperature_ == 0) {
    const auto found = std::find(logits.begin(), logits.end(), most);
    expect(found != logits.end(), "generation: expected logits that are numbers, found one that is not a number");
    return static_cast<TokenId>(found - logits.begin());
  }
  odds_.resize(logits.size());
  exponentials(logits, most, static_cast<float>(1 / temperature_), odds_.data());
  cut(logits.size());
  const double total = std::accumulate(odds_.begin(), odds_.end(), 0.0);
  const double target = random.uniform() * total;
  double sum = 0;
  TokenId last = 0;  // the last one possible, should rounding keep the sum below the target
  for (std::size_t i = 0; i < odds_.size(); ++i) {
    if (odds_[i] == 0) continue;
    sum += odds_[i];
    last = static_cast<TokenId>(i);
    if (sum > target) break;
  }
  return last;
}

}  // namespace paretofl
