#pragma once

#include <cstdint>
#include <span>

#include "paretofl/models/head.h"
#include "paretofl/models/lanes.h"

namespace paretofl {

/// Replaces logits [classes] by log-probabilities.
void log_softmax(std::span<Lanes> logits);

/// Sum over the samples of their loss, kNll or kL2, labels [<= kLanes].
double loss_sum(Loss loss, std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels);

/// How many samples have their label as the most probable class (the first of equal ones).
std::int64_t count_correct(std::span<const Lanes> log_probabilities, std::span<const std::uint8_t> labels);

/// Replaces log-probabilities by the gradient of scale * loss_sum with respect to the logits; zero for
/// lanes without a label.
void loss_gradient(Loss loss, std::span<Lanes> log_probabilities, std::span<const std::uint8_t> labels, float scale);

}  // namespace paretofl
