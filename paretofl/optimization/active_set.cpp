#include "paretofl/optimization/active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace paretofl {

ActiveSet::ActiveSet(const Gramian& q)
    : size_(q.objectives()),
      matrix_(size_ * size_),
      units_(size_),
      diagonal_(size_),
      solution_(size_),
      slack_(size_),
      is_active_(size_),
      rejected_(size_),
      factor_(size_),
      tolerance_(16 * static_cast<double>(size_) * std::numeric_limits<double>::epsilon()) {
  int lowest = std::numeric_limits<int>::max();
  std::vector<int> exponents(size_);
  std::vector<double> inverses(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    exponents[i] = static_cast<int>(std::floor(0.5 * std::ilogb(q(i, i))));
    inverses[i] = std::scalbn(1.0, -exponents[i]);
    lowest = std::min(lowest, exponents[i]);
  }
  for (std::size_t i = 0; i < size_; ++i) {
    units_[i] = std::scalbn(1.0, lowest - exponents[i]);
    // Only a matrix that is not positive semidefinite has entries beyond 4.
    for (std::size_t j = 0; j < size_; ++j) matrix_[i * size_ + j] = std::clamp(q(i, j) * inverses[i] * inverses[j], -4.0, 4.0);
    diagonal_[i] = at(i, i);
  }
  pull_ = units_;
  active_.reserve(size_);
}

ActiveSet::ActiveSet(const Gramian& q, std::span<const double> start) : ActiveSet(q) {
  over_simplex_ = false;
  start_sum_ = std::accumulate(start.begin(), start.end(), 0.0);
  for (std::size_t i = 0; i < size_; ++i) pull_[i] = -std::inner_product(start.begin(), start.end(), &matrix_[i * size_], 0.0);
}

int ActiveSet::run() {
  while (!solve()) add_ridge();
  return entered_;
}

std::vector<double> ActiveSet::objective_weights() const {
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (solution_[i] > 0) largest = std::max(largest, units_[i]);
  }
  std::vector<double> lambda(size_);
  for (std::size_t i = 0; i < size_; ++i) lambda[i] = solution_[i] * (units_[i] / largest);
  const double sum = std::accumulate(lambda.begin(), lambda.end(), 0.0);
  for (double& value : lambda) value /= sum;
  return lambda;
}

// False where the matrix needs more of a ridge.
bool ActiveSet::solve() {
  const int limit = entered_ + 20 * static_cast<int>(size_) + 100;
  for (; entered_ < limit; ++entered_) {
    const std::size_t index = most_violated();
    if (index == size_) break;
    const double pivot = propose(index);
    const double curvature = pivot / squared_length();
    if (curvature < std::max(kSingularBelow, ridge_ / 8)) return ridge_ == 0 && over_simplex_ && take_ray(index);
    factor_.append(pivot);
    active_.push_back(index);
    is_active_[index] = 1;
    if (settle()) {
      std::fill(rejected_.begin(), rejected_.end(), 0);
    } else {
      rejected_[index] = 1;
    }
  }
  return true;
}

// The index whose increase lowers the objective most steeply, or M where none does.
std::size_t ActiveSet::most_violated() {
  slack_ = pull_;
  double sum = start_sum_;
  for (const std::size_t j : active_) {
    const double* row = &matrix_[j * size_];
    for (std::size_t i = 0; i < size_; ++i) slack_[i] -= solution_[j] * row[i];
    sum += solution_[j];
  }
  std::size_t index = size_;
  double worst = tolerance_ * sum;
  for (std::size_t i = 0; i < size_; ++i) {
    if (is_active_[i] || rejected_[i] || slack_[i] <= worst) continue;
    worst = slack_[i];
    index = i;
  }
  return index;
}

// The pivot, which is the curvature along (direction_, 1 at the index).
double ActiveSet::propose(std::size_t index) {
  direction_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) direction_[k] = at(index, active_[k]);
  const double pivot = factor_.propose(direction_, diagonal_[index]);
  factor_.project(direction_);
  for (double& value : direction_) value = -value;
  return pivot;
}

double ActiveSet::squared_length() const { return 1 + std::inner_product(direction_.begin(), direction_.end(), direction_.begin(), 0.0); }

// Takes the direction for the solution if it is one: no negative part and a product of 0 with the matrix.
bool ActiveSet::take_ray(std::size_t index) {
  std::vector<double> ray(size_);
  ray[index] = 1;
  double sum = 1;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (direction_[k] < -tolerance_) return false;
    ray[active_[k]] = std::max(direction_[k], 0.0);
    sum += ray[active_[k]];
  }
  for (std::size_t i = 0; i < size_; ++i) {
    const double product = std::inner_product(ray.begin(), ray.end(), &matrix_[i * size_], 0.0);
    if (product < -tolerance_ * sum || (ray[i] > 0 && product > tolerance_ * sum)) return false;
  }
  solution_ = ray;
  return true;
}

// Moves to the minimizer over the active indices and drops those that would turn negative. False where
// y stays as it was.
bool ActiveSet::settle() {
  bool moved = false;
  while (true) {
    target_.resize(active_.size());
    for (std::size_t k = 0; k < active_.size(); ++k) target_[k] = pull_[active_[k]];
    factor_.solve(target_);
    double step = 1;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const double y = solution_[active_[k]];
      if (target_[k] <= 0) step = y > 0 ? std::min(step, y / (y - target_[k])) : 0;
    }
    moved = moved || step > 0;
    const std::size_t before = active_.size();
    for (std::size_t k = before; k-- > 0;) {
      double& y = solution_[active_[k]];
      const bool blocks = target_[k] <= 0 && (y <= 0 || y / (y - target_[k]) <= step);
      y = step < 1 ? y + step * (target_[k] - y) : target_[k];
      if (blocks || (target_[k] <= 0 && y <= 0)) drop(k);
    }
    if (active_.size() == before) return moved;
  }
}

void ActiveSet::drop(std::size_t position) {
  const std::size_t index = active_[position];
  factor_.remove(position);
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(position));
  is_active_[index] = 0;
  solution_[index] = 0;
}

void ActiveSet::add_ridge() {
  ridge_ = ridge_ == 0 ? kRidge : 10 * ridge_;
  for (std::size_t i = 0; i < size_; ++i) diagonal_[i] = (1 + ridge_) * at(i, i);
  factor_ = ActiveFactor(size_);
  active_.clear();
  std::fill(is_active_.begin(), is_active_.end(), 0);
  std::fill(rejected_.begin(), rejected_.end(), 0);
  std::fill(solution_.begin(), solution_.end(), 0.0);
  tolerance_ = std::max(tolerance_, ridge_ / 4);
}

}  // namespace paretofl
