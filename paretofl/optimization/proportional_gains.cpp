#include "paretofl/optimization/proportional_gains.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "paretofl/registry/options.h"

namespace paretofl {
namespace {

constexpr double kRidge = 1e-12;
constexpr double kNear = 0.1;            // relative Newton step from which on Newton's method needs no help
constexpr double kGainAccuracy = 1e-14;  // relative Newton step that ends it
constexpr double kNothing = 1e-20;       // an entry of b, to the largest: no part of the direction
constexpr double kLargestFall = 0.9;
constexpr double kShortest = 1e-3;  // step that the line search tries
constexpr int kMaxStalls = 5;       // steps that come no closer, once near
constexpr int kMaxNewtonSteps = 200;

using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;

Flags counts(const Eigen::ArrayXd& b) { return b > kNothing * b.maxCoeff(); }

// Eigen's own power sets off a false alarm of g++ 12 where AVX-512 is on.
Eigen::ArrayXd power(const Eigen::ArrayXd& values, double exponent) {
  return values.unaryExpr([exponent](double value) { return std::pow(value, exponent); });
}

// x > 0 with x + rest = c x^(-gamma). In t = log(x), or log(x + rest) where rest < 0, the equation's logarithm
// is convex and increasing; Newton's method comes down to the root from an upper bound.
double solve_entry(double rest, double c, double gamma) {
  const double size = std::abs(rest);
  double t = std::log(c) / (1 + gamma);
  for (int step = 0; step < 60; ++step) {
    const double sum = std::exp(t) + size;
    const double share = std::exp(t) / sum;
    const double value = (rest >= 0 ? std::log(sum) + gamma * t : t + gamma * std::log(sum)) - std::log(c);
    t -= value / (rest >= 0 ? share + gamma : 1 + gamma * share);
    if (value <= 1e-12) break;
  }
  return rest >= 0 ? std::exp(t) : std::exp(t) + size;
}

class Problem {
 public:
  Problem(const Gramian& cosines, std::span<const double> c, double gamma)
      : matrix_(Eigen::Map<const Eigen::MatrixXd>(cosines.values().data(), static_cast<Eigen::Index>(c.size()),
                                                  static_cast<Eigen::Index>(c.size()))),
        c_(Eigen::Map<const Eigen::ArrayXd>(c.data(), static_cast<Eigen::Index>(c.size()))),
        gamma_(gamma) {
    matrix_.diagonal().array() += kRidge;
  }

  /// The solution for orthogonal gradients.
  Eigen::ArrayXd start() const { return power(c_, 1 / (1 + gamma_)); }

  /// Minimizes over one entry of b after another.
  void sweep(Eigen::ArrayXd& b) const {
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      const double diagonal = matrix_(i, i);
      const double rest = matrix_.col(i).dot(b.matrix()) - diagonal * b(i);
      b(i) = solve_entry(rest / diagonal, c_(i) / diagonal, gamma_);
    }
  }

  /// Newton's step x = step / b, entrywise; the Hessian in x is Diag(b) R Diag(b) + Diag(gamma c b^(1 - gamma)).
  Eigen::ArrayXd relative_step(const Eigen::ArrayXd& b) const {
    const Eigen::ArrayXd pull = c_ * power(b, 1 - gamma_);
    const Eigen::ArrayXd slope = b * (matrix_ * b.matrix()).array() - pull;
    Eigen::MatrixXd hessian = b.matrix().asDiagonal() * matrix_ * b.matrix().asDiagonal();
    hessian.diagonal().array() += gamma_ * pull;
    // Entries may be many decades apart: a unit diagonal first.
    const Eigen::ArrayXd scale = 1 / hessian.diagonal().array().sqrt();
    hessian = scale.matrix().asDiagonal() * hessian * scale.matrix().asDiagonal();
    return -scale * hessian.llt().solve((scale * slope).matrix()).array();
  }

  /// The objective's derivative along the step at b.
  double slope_along(const Eigen::ArrayXd& b, const Eigen::ArrayXd& step) const {
    return (step * ((matrix_ * b.matrix()).array() - c_ * power(b, -gamma_))).sum();
  }

  double residual(const Eigen::ArrayXd& b) const {
    const Eigen::ArrayXd gap = (matrix_ * b.matrix()).array() - kRidge * b - c_ * power(b, -gamma_);
    // An entry on its way to 0 may fall further, but must not want to rise.
    return std::min(1.0, counts(b).select(gap.abs(), (-gap).max(0)).maxCoeff() / b.sum());
  }

 private:
  Eigen::MatrixXd matrix_;
  Eigen::ArrayXd c_;
  double gamma_;
};

}  // namespace

ProportionalGains proportional_gains(const Gramian& cosines, std::span<const double> c, double gamma) {
  const Problem problem(cosines, c, gamma);
  Eigen::ArrayXd b = problem.start();
  ProportionalGains result;
  double change = kInfinity;
  double nearest = kNear;
  for (int stalls = 0; change > kGainAccuracy && stalls < kMaxStalls && result.iterations < kMaxNewtonSteps; ++result.iterations) {
    // Far away, entries that must fall by decades would shorten Newton's step.
    if (change > kNear) problem.sweep(b);
    const Eigen::ArrayXd relative = problem.relative_step(b);
    const Eigen::ArrayXd step = b * relative;
    const double slope = -problem.slope_along(b, step);
    double length = std::min(1.0, kLargestFall / std::max(kLargestFall, -relative.minCoeff()));
    // Overshooting shows in the slope; the values' differences are lost in rounding near the end.
    while (length > kShortest && problem.slope_along(b + length * step, step) > 0.5 * slope) length /= 2;
    b += length * step;
    change = counts(b).select(relative.abs(), 0).maxCoeff();
    if (change < kNear) stalls = change < nearest ? 0 : stalls + 1;
    nearest = std::min(nearest, change);
  }
  result.along_units.assign(b.data(), b.data() + b.size());
  result.residual = problem.residual(b);
  return result;
}

}  // namespace paretofl
