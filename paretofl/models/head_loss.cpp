#include "paretofl/models/head_loss.h"

#include <algorithm>
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

bool bit(std::uint8_t label, std::size_t position) { return (label >> position & 1U) != 0; }

double weight(Lanes weights, std::size_t n) { return static_cast<double>(weights[n]); }

double nll_sum(std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels, Lanes weights, std::size_t first) {
  double sum = 0;
  for (std::size_t n = 0; n < labels.size(); ++n)
    sum -= weight(weights, first + n) * static_cast<double>(log_probabilities[labels[n]][first + n]);
  return sum;
}

double l2_sum(std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels, Lanes weights, std::size_t first) {
  double sum = 0;
  for (std::size_t c = 0; c < log_probabilities.size(); ++c) {
    const Lanes probability = exp_lanes(log_probabilities[c]);
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const double difference = static_cast<double>(probability[first + n]) - (labels[n] == c ? 1 : 0);
      sum += weight(weights, first + n) * difference * difference;
    }
  }
  return sum / static_cast<double>(log_probabilities.size());
}

// log(1 + exp(x)) - bit * x, without overflow.
double binary_sum(std::span<const Lanes> logits, std::span<const std::uint8_t> labels, Lanes weights, std::size_t first) {
  double sum = 0;
  for (std::size_t c = 0; c < logits.size(); ++c) {
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const auto x = static_cast<double>(logits[c][first + n]);
      sum += weight(weights, first + n) * (std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))) - (bit(labels[n], c) ? x : 0));
    }
  }
  return sum / static_cast<double>(logits.size());
}

// With p the probabilities, y the one-hot label and r = p - y: 2 / classes * p_c (r_c - sum_j p_j r_j).
void l2_gradient(std::span<Lanes> log_probabilities, std::span<const std::uint8_t> labels, Lanes factor) {
  for (Lanes& x : log_probabilities) x = exp_lanes(x);
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

void binary_gradient(std::span<Lanes> logits, std::span<const std::uint8_t> labels, Lanes factor) {
  factor /= static_cast<float>(logits.size());
  for (std::size_t c = 0; c < logits.size(); ++c) {
    logits[c] = factor / (1 + exp_lanes(-logits[c]));
    for (std::size_t n = 0; n < labels.size(); ++n) logits[c][n] -= bit(labels[n], c) ? factor[n] : 0;
  }
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

double loss_sum(Loss loss, std::span<const Lanes> outputs, std::span<const std::uint8_t> labels, Lanes weights, std::size_t first) {
  if (loss == Loss::kBinary) return binary_sum(outputs, labels, weights, first);
  return loss == Loss::kL2 ? l2_sum(outputs, labels, weights, first) : nll_sum(outputs, labels, weights, first);
}

double correct_sum(Loss loss, std::span<const Lanes> outputs, std::span<const std::uint8_t> labels, Lanes weights) {
  double correct = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    std::size_t best = 0;
    for (std::size_t c = 0; c < outputs.size(); ++c) {
      if (loss == Loss::kBinary && (outputs[c][n] > 0) == bit(labels[n], c)) correct += weight(weights, n);
      if (outputs[c][n] > outputs[best][n]) best = c;
    }
    if (loss != Loss::kBinary && best == labels[n]) correct += weight(weights, n);
  }
  return correct / static_cast<double>(loss == Loss::kBinary ? outputs.size() : 1);
}

void loss_gradient(Loss loss, std::span<Lanes> outputs, std::span<const std::uint8_t> labels, float scale) {
  Lanes scales{};
  for (std::size_t n = 0; n < labels.size(); ++n) scales[n] = scale;
  loss_gradient(loss, outputs, labels, scales);
}

void loss_gradient(Loss loss, std::span<Lanes> outputs, std::span<const std::uint8_t> labels, Lanes scales) {
  if (loss == Loss::kBinary) {
    binary_gradient(outputs, labels, scales);
  } else if (loss == Loss::kL2) {
    l2_gradient(outputs, labels, scales);
  } else {
    for (Lanes& x : outputs) x = exp_lanes(x) * scales;
    for (std::size_t n = 0; n < labels.size(); ++n) outputs[labels[n]][n] -= scales[n];
  }
}

}  // namespace paretofl
