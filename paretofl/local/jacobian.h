#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/local/gradient_oracle.h"

namespace paretofl {

/// The parameters whose gradients form a Gramian: the shared part, or everything where the layout has
/// no heads or `with_heads` asks for them (heads only conflict with themselves).
Range gramian_part(const Layout& layout, bool with_heads);

/// The columns `part` of a row-major matrix [M, d], as [M, part.size()].
std::vector<float> columns(std::span<const float> matrix, std::size_t rows, Range part);

/// sum_k lambda_k row_k of a row-major matrix [M, d]: [d].
std::vector<float> weighted_rows(std::span<const float> matrix, std::span<const double> objective_weights);

/// Makes the gradient [d] of sum_k lambda_k f_k one of sum_k |lambda_k| f_k in the heads: a head serves its own
/// objective alone, and must take a descent step even if a negative weight makes the shared part ascend.
void descend_in_heads(const Layout& layout, std::span<const double> objective_weights, std::span<float> gradient);

/// A client's stochastic jacobian and the minibatch losses that came with it.
struct SampledJacobian {
  std::vector<float> rows;     ///< [M, d], row k the gradient of objective k
  std::vector<double> losses;  ///< [M]
};

/// Draws one minibatch per objective from substreams of `stream` (as FedCMOO's authors do), or with
/// `shared_minibatch` one for all, which shares the forward pass. They are number `step` of the passes that the streams order.
SampledJacobian sample_jacobian(const GradientOracle& oracle, std::span<const float> theta, bool shared_minibatch, const Random& stream,
                                std::int64_t step = 0);

}  // namespace paretofl
