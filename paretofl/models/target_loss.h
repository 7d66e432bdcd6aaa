#pragma once

#include <span>

#include "paretofl/kernels/lanes.h"
#include "paretofl/models/head.h"

namespace paretofl {

// The losses of heads that read targets (Head::has_labels() is false) and have one output. A sample counts `weights` times.

/// Sum over the samples of their loss, targets [<= kLanes] of samples `first` and on.
double target_loss_sum(const Head& head, Lanes output, std::span<const float> targets, Lanes weights, std::size_t first = 0);

/// The gradient of sum_n scales[n] * loss_n with respect to the output. Where a loss has a kink, at a target that is met exactly, it
/// is 0. Zero for lanes without a target.
Lanes target_loss_gradient(const Head& head, Lanes output, std::span<const float> targets, Lanes scales);

}  // namespace paretofl
