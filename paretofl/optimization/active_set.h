#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/optimization/active_factor.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// Exact minimizer of a quadratic form over one of two sets, for Q with a positive diagonal:
/// - lambda^T Q lambda over the simplex. For a minimum above 0, lambda = u / sum(u) where u minimizes
///   u^T Q u / 2 - sum(u) over u >= 0. A minimum of 0 shows as a direction n >= 0 with Q n = 0, which is
///   then the answer.
/// - (s + u)^T Q (s + u) over u >= 0, for a start s >= 0.
///
/// The problem in u is solved by Lawson and Hanson's active-set method (1974, chapter 23) in variables
/// y_i = t_i u_i, where t_i is the power of two next to sqrt(Q_ii): then the matrix has its diagonal in
/// [1, 4), and gradients of any scale count alike.
///
/// Where the curvature along a direction falls below kSingularBelow, rounding could turn a sign: then the
/// method starts again with a relative kRidge added to the diagonal, which costs at most half of it in
/// the scaled KKT residual. A matrix that is not positive semidefinite gets ten times more until it is,
/// and the KKT residual on the matrix given tells how much that was.
///
/// Every step lowers the objective, so no active set comes twice; a limit on the number of steps keeps
/// this true in floating point. One thread at a time.
class ActiveSet {
 public:
  /// Over the simplex.
  explicit ActiveSet(const Gramian& q);
  /// From s [M]: for a Q with a unit diagonal, where y = u.
  ActiveSet(const Gramian& q, std::span<const double> start);

  /// Solves; to be called once. Returns the number of indices that entered the active set.
  int run();
  /// lambda [M], on the simplex.
  std::vector<double> objective_weights() const;
  /// u [M], from s.
  const std::vector<double>& from_start() const { return solution_; }

 private:
  static constexpr double kSingularBelow = 1e-13;
  static constexpr double kRidge = 4e-12;

  double at(std::size_t i, std::size_t j) const { return matrix_[i * size_ + j]; }
  bool solve();
  std::size_t most_violated();
  double propose(std::size_t index);
  double squared_length() const;
  bool take_ray(std::size_t index);
  bool settle();
  void drop(std::size_t position);
  void add_ridge();

  std::size_t size_;                 // M
  std::vector<double> matrix_;       // [M, M], Q_ij / (t_i t_j)
  std::vector<double> units_;        // [M], min t / t_i: y_i * units_i is proportional to lambda_i
  std::vector<double> pull_;         // [M], the linear term: units, or - matrix s
  std::vector<double> diagonal_;     // [M], the matrix's, with the ridge
  std::vector<double> solution_;     // [M], y
  std::vector<double> slack_;        // [M], pull - matrix y
  std::vector<std::size_t> active_;  // [k], in the factor's order; elsewhere y = 0
  std::vector<char> is_active_;      // [M]
  std::vector<char> rejected_;       // [M], entered in vain since y last moved
  std::vector<double> direction_;    // [k], the active part of a direction along which only the entering slack falls
  std::vector<double> target_;       // [k], the minimizer over the active indices
  ActiveFactor factor_;
  double tolerance_;
  bool over_simplex_ = true;
  double start_sum_ = 0;  // of s: what the rounding errors of pull are relative to
  double ridge_ = 0;
  int entered_ = 0;
};

}  // namespace paretofl
