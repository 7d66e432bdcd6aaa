#pragma once

#include <span>
#include <vector>

#include "paretofl/privacy/cohort_sampling.h"

namespace paretofl {

/// Renyi differential privacy at each order (above 1) of one step with Gaussian noise over sampled clients.
///
/// Poisson sampling: (alpha - 1) rdp = log A_alpha of Mironov, Talwar and Zhang (2019), "Renyi Differential Privacy of the Sampled Gaussian
/// Mechanism", Section 3.3: for integer alpha the binomial sum, otherwise the integral itself, by quadrature.
///
/// Fixed size: Theorem 27 of Wang, Balle and Kasiviswanathan (2019), "Subsampled Renyi Differential Privacy and Analytical Moments
/// Accountant", for integer alpha; between integers (alpha - 1) rdp is interpolated linearly, which their Corollary 10 allows.
/// The bound exceeds that without sampling at large rates, and the smaller of both is taken: the divergence is quasi-convex.
std::vector<double> gaussian_rdp(double noise_multiplier, const CohortSampling& sampling, std::span<const double> orders);

}  // namespace paretofl
