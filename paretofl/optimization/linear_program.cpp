#include "paretofl/optimization/linear_program.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using Eigen::Index;

constexpr double kZero = 1e-10;
/// What counts as zero in turn, until the answer fits the rows: nearly parallel rows give pivots that are nothing but rounding.
constexpr std::array kZeros = {kZero, 1e-8, 1e-6};
constexpr double kMisfit = 1e-8;  // by which rounding may miss a row

void check(const LinearProgram& program) {
  const std::size_t size = program.value.size();
  expect(size > 0, "linear program: expected at least one variable, found none");
  expect(program.rows.size() == program.bounds.size(), "linear program: expected {} bounds, one per row, found {}", program.rows.size(),
         program.bounds.size());
  const auto finite = [](double x) { return std::isfinite(x); };
  bool all_finite =
      std::all_of(program.value.begin(), program.value.end(), finite) && std::all_of(program.bounds.begin(), program.bounds.end(), finite);
  for (const auto& row : program.rows) {
    expect(row.size() == size, "linear program: expected rows of {} numbers, found {}", size, row.size());
    all_finite = all_finite && std::all_of(row.begin(), row.end(), finite);
  }
  expect(all_finite, "linear program: expected finite numbers, found one that is not finite");
}

double or_one(double scale) { return scale > 0 ? scale : 1; }

double largest(const std::vector<double>& values, double at_least = 0) {
  for (const double x : values) at_least = std::max(at_least, std::abs(x));
  return at_least;
}

/// Columns: w [M], violation v, one surplus per row of the program, right-hand side. Rows: those of the
/// program, then sum w = 1. Every row has a basic column, whose entries elsewhere are zero.
class Tableau {
 public:
  Tableau(const LinearProgram& program, double scale, double zero)
      : zero_(zero),
        objectives_(static_cast<Index>(program.value.size())),
        constraints_(static_cast<Index>(program.rows.size())),
        cells_(Eigen::MatrixXd::Zero(constraints_ + 1, objectives_ + 2 + constraints_)),
        basic_(static_cast<std::size_t>(constraints_ + 1)) {
    // Row k, negated so that its surplus is basic: surplus_k - rows_k w - v = -bounds_k.
    for (Index k = 0; k < constraints_; ++k) {
      for (Index j = 0; j < objectives_; ++j) cells_(k, j) = -program.rows[at(k)][at(j)] / scale;
      cells_(k, violation()) = -1;
      cells_(k, objectives_ + 1 + k) = 1;
      cells_(k, last()) = -program.bounds[at(k)] / scale;
      basic_[at(k)] = objectives_ + 1 + k;
    }
    cells_.row(constraints_).head(objectives_).setOnes();
    cells_(constraints_, last()) = 1;
    pivot(constraints_, 0);
    // v takes up the worst row's shortfall; then all right-hand sides are non-negative.
    Index worst = 0;
    if (constraints_ > 0 && cells_.col(last()).head(constraints_).minCoeff(&worst) < 0) pivot(worst, violation());
  }

  Index violation() const { return objectives_; }

  double value_of(Index column) const {
    const Index row = row_of(column);
    return row < 0 ? 0.0 : cells_(row, last());
  }

  /// Maximizes value^T columns from here, without the column `closed`.
  int maximize(Eigen::VectorXd value, Index closed) {
    value.conservativeResizeLike(Eigen::VectorXd::Zero(last()));
    for (int pivots = 0;; ++pivots) {
      Eigen::VectorXd of_basic(cells_.rows());
      for (Index i = 0; i < cells_.rows(); ++i) of_basic[i] = value[basic_[at(i)]];
      Index entering = -1;
      for (Index j = 0; j < last() && entering < 0; ++j) {
        if (j != closed && row_of(j) < 0 && value[j] - of_basic.dot(cells_.col(j)) > zero_) entering = j;
      }
      if (entering < 0) return pivots;
      Index leaving = -1;
      double shortest = 0;
      for (Index i = 0; i < cells_.rows(); ++i) {
        if (cells_(i, entering) <= zero_) continue;
        const double step = cells_(i, last()) / cells_(i, entering);
        const bool shorter = leaving < 0 || step < shortest - zero_;
        const bool first_of_equals = leaving >= 0 && step <= shortest + zero_ && basic_[at(i)] < basic_[at(leaving)];
        if (shorter || first_of_equals) {
          leaving = i;
          shortest = step;
        }
      }
      if (leaving < 0) return pivots;  // only by rounding: the simplex is bounded
      pivot(leaving, entering);
    }
  }

  /// Holds v at its present value: takes it into the bounds and out of the basis.
  void hold_violation() {
    const Index row = row_of(violation());
    if (row < 0) return;
    cells_(row, last()) = 0;
    for (Index j = 0; j < last(); ++j) {
      if (j != violation() && row_of(j) < 0 && std::abs(cells_(row, j)) > zero_) {
        pivot(row, j);
        return;
      }
    }
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index last() const { return cells_.cols() - 1; }

  Index row_of(Index column) const {
    const auto found = std::find(basic_.begin(), basic_.end(), column);
    return found == basic_.end() ? -1 : found - basic_.begin();
  }

  void pivot(Index row, Index column) {
    cells_.row(row) /= cells_(row, column);
    for (Index i = 0; i < cells_.rows(); ++i) {
      const double factor = cells_(i, column);
      if (i != row && factor != 0) cells_.row(i) -= factor * cells_.row(row);
    }
    basic_[at(row)] = column;
  }

  double zero_;
  Index objectives_;
  Index constraints_;
  Eigen::MatrixXd cells_;
  std::vector<Index> basic_;  ///< the basic column of every row
};

/// The point that the tableau ends at, and the least violation that it reports, in units of `scale`.
LinearProgramSolution solved(const LinearProgram& program, double scale, double zero) {
  Tableau tableau(program, scale, zero);
  const auto objectives = static_cast<Index>(program.value.size());
  LinearProgramSolution solution;
  solution.iterations = tableau.maximize(-Eigen::VectorXd::Unit(objectives + 1, objectives), -1);
  const double violation = tableau.value_of(tableau.violation());
  solution.violation = violation > zero ? violation : 0;
  tableau.hold_violation();
  const Eigen::Map<const Eigen::VectorXd> value(program.value.data(), objectives);
  solution.iterations += tableau.maximize(value / or_one(largest(program.value)), tableau.violation());

  double sum = 0;
  for (Index j = 0; j < objectives; ++j) sum += solution.point.emplace_back(std::max(tableau.value_of(j), 0.0));
  for (double& w : solution.point) w /= sum;
  return solution;
}

/// The point's largest shortfall of a row, in units of `scale`.
double shortfall(const LinearProgram& program, const std::vector<double>& point, double scale) {
  double worst = 0;
  for (std::size_t k = 0; k < program.rows.size(); ++k) {
    double missing = program.bounds[k];
    for (std::size_t j = 0; j < point.size(); ++j) missing -= program.rows[k][j] * point[j];
    worst = std::max(worst, missing / scale);
  }
  return worst;
}

}  // namespace

LinearProgramSolution solve(const LinearProgram& program) {
  check(program);
  double scale = largest(program.bounds);
  for (const auto& row : program.rows) scale = largest(row, scale);
  scale = or_one(scale);
  LinearProgramSolution best;
  double least = std::numeric_limits<double>::infinity();
  int pivots = 0;
  for (const double zero : kZeros) {
    LinearProgramSolution found = solved(program, scale, zero);
    pivots += found.iterations;
    const double missed = shortfall(program, found.point, scale);
    const bool fits = missed <= found.violation + kMisfit;
    if (!(missed >= least)) {
      least = missed;
      best = std::move(found);
      if (!fits) best.violation = missed;
    }
    if (fits) break;
  }
  best.violation *= scale;
  best.iterations = pivots;
  return best;
}

}  // namespace paretofl
