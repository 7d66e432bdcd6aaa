#include "paretofl/models/softmax_loss.h"

#include <cmath>

namespace paretofl {
namespace {

Lanes exp_lanes(Lanes x) {
  for (std::size_t n = 0; n < kLanes; ++n) x[n] = std::exp(x[n]);
  return x;
}

Lanes log_lanes(Lanes x) {
  for (std::size_t n = 0; n < kLanes; ++n) x[n] = std::log(x[n]);
  return x;
}

}  // namespace

void log_softmax(std::span<Lanes> logits) {
  Lanes largest = logits[0];
  for (const Lanes x : logits) largest = x > largest ? x : largest;
  Lanes sum{};
  for (Lanes& x : logits) {
    x -= largest;
    sum += exp_lanes(x);
  }
  const Lanes log_sum = log_lanes(sum);
  for (Lanes& x : logits) x -= log_sum;
}

double loss_sum(Loss loss, std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels) {
  double sum = 0;
  if (loss == Loss::kNll) {
    for (std::size_t n = 0; n < labels.size(); ++n) sum -= static_cast<double>(log_probabilities[labels[n]][n]);
    return sum;
  }
  for (std::size_t c = 0; c < log_probabilities.size(); ++c) {
    const Lanes probability = exp_lanes(log_probabilities[c]);
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const double difference = static_cast<double>(probability[n]) - (labels[n] == c ? 1 : 0);
      sum += difference * difference;
    }
  }
  return sum / static_cast<double>(log_probabilities.size());
}

std::int64_t count_correct(std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels) {
  std::int64_t correct = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < log_probabilities.size(); ++c) {
      if (log_probabilities[c][n] > log_probabilities[best][n]) best = c;
    }
    correct += best == labels[n] ? 1 : 0;
  }
  return correct;
}

void loss_gradient(Loss loss, std::span<Lanes> log_probabilities, std::span<const std::uint8_t> labels, float scale) {
  Lanes factor{};
  for (std::size_t n = 0; n < labels.size(); ++n) factor[n] = scale;
  for (Lanes& x : log_probabilities) x = exp_lanes(x);
  if (loss == Loss::kNll) {
    for (Lanes& x : log_probabilities) x *= factor;
    for (std::size_t n = 0; n < labels.size(); ++n) log_probabilities[labels[n]][n] -= scale;
    return;
  }
  // With p the probabilities, y the one-hot label and r = p - y: 2 / classes * p_c (r_c - sum_j p_j r_j).
  const auto residual = [&](std::size_t c) {
    Lanes r = log_probabilities[c];
    for (std::size_t n = 0; n < labels.size(); ++n) r[n] -= labels[n] == c ? 1.0F : 0.0F;
    return r;
  };
  Lanes projection{};
  for (std::size_t c = 0; c < log_probabilities.size(); ++c) projection += log_probabilities[c] * residual(c);
  factor *= 2 / static_cast<float>(log_probabilities.size());
  for (std::size_t c = 0; c < log_probabilities.size(); ++c) log_probabilities[c] *= factor * (residual(c) - projection);
}

}  // namespace paretofl
