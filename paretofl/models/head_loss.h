#pragma once

#include <cstdint>
#include <span>

#include "paretofl/kernels/lanes.h"
#include "paretofl/models/head.h"

namespace paretofl {

/// Replaces logits [classes] by log-probabilities.
void log_softmax(std::span<Lanes> logits);

// Below, the outputs [C] of a head are log-probabilities, or logits where the loss is kBinary. What is given for a sample counts
// `weights` times, which is 0 for a sample that counts nothing; its label may be any.

/// Sum over the samples of their loss, labels [<= kLanes] of samples `first` and on.
double loss_sum(Loss loss, std::span<const Lanes> outputs, std::span<const std::uint8_t> labels, Lanes weights = Lanes{} + 1,
                std::size_t first = 0);

/// How many samples have their label as the most probable class (the first of equal ones); with kBinary, the sum over
/// the samples of the share of their attributes whose logit has the right sign.
double correct_sum(Loss loss, std::span<const Lanes> outputs, std::span<const std::uint8_t> labels, Lanes weights = Lanes{} + 1);

/// Replaces outputs by the gradient of scale * loss_sum with respect to the logits; zero for lanes without a label.
void loss_gradient(Loss loss, std::span<Lanes> outputs, std::span<const std::uint8_t> labels, float scale);

/// The same with a scale of each sample, zero in lanes without a label.
void loss_gradient(Loss loss, std::span<Lanes> outputs, std::span<const std::uint8_t> labels, Lanes scales);

}  // namespace paretofl
