#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

/// The descent direction of FedMDFG (Pan et al. 2023). Its objectives are the losses f_i of n clients; p = (1, ..., 1) is the fair guidance
/// vector, along which all losses are equal.

/// The cosine of the angle between losses [n] and p; 1 where all losses are zero.
double fairness_cosine(std::span<const double> losses);

/// The same angle in degrees, from 0, where the losses are equal, to 90, or more where losses are negative.
double fairness_angle(std::span<const double> losses);

/// h [n], of length one: the opposite of the projection of p on the normal plane of the losses, so that sum_i h_i f_i falls as their angle
/// with p does (the paper's appendix, eq. 2). Empty where the losses are equal up to rounding, and h has no direction.
std::vector<double> fair_guidance(std::span<const double> losses);

/// Scales the rows of a matrix [n, d] to the mean of their norms, so that no client counts by its gradient's length. None may be zero.
/// Returns [n] how many times as long they were.
std::vector<double> equalize_norms(std::span<float> rows, std::size_t count);

struct FairDirection {
  std::vector<float> direction;  ///< [d], to descend along; empty where no direction is one of common descent
  std::vector<double> weights;   ///< of all rows of Q, on the simplex: the clients, the guidance where there is one, and the earlier rows
};

/// The shortest convex combination of the rows of Q (appendix, eq. 3), scaled to the length of the mean gradient (appendix A.3). Q has the
/// `gradients` [n, d]; where `guidance` [n] is not empty, the sum of the gradients weighted by it; and `earlier` gradients [e, d], which
/// the direction shall not ascend either. There is no direction where that combination is not longer than 1e-6 times the mean norm: no step
/// then descends along all rows to first order.
FairDirection fair_direction(std::span<const float> gradients, std::span<const double> guidance, std::span<const float> earlier,
                             std::size_t size);

}  // namespace paretofl
