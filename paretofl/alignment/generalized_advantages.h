#pragma once

#include <span>

namespace paretofl {

/// Generalized advantage estimation (Schulman et al. 2016, equation 16) of one finished episode of n steps:
/// A_t = sum_l (gamma lambda)^l (r_{t+l} + gamma V_{t+l+1} - V_{t+l}), with V = 0 after the last step. All spans [n].
void generalized_advantages(std::span<const double> rewards, std::span<const double> values, double gamma, double lambda,
                            std::span<double> advantages);

}  // namespace paretofl
