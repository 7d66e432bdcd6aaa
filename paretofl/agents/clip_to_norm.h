#pragma once

#include <span>

namespace paretofl {

/// Scales a gradient [d] down to a Euclidean norm of about `max_norm` where its own is larger, as PyTorch's clip_grad_norm_ does.
void clip_to_norm(std::span<float> gradient, double max_norm);

}  // namespace paretofl
