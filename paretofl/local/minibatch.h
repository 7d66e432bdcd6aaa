#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/local/gradient_oracle.h"

namespace paretofl {

/// The samples of a draw's minibatch, `batch_size` of them in [1, samples.size()]. The stream shuffles the samples once per pass; step s is
/// minibatch s mod b of pass s / b, where a pass has b = samples.size() / batch_size whole minibatches. A draw of one sample has that one.
/// Throws Error if there is no such sample.
std::vector<std::uint32_t> minibatch(std::span<const std::uint32_t> samples, std::size_t batch_size, const Draw& draw);

}  // namespace paretofl
