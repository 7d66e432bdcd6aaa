#include "paretofl/tabular/tabular_model.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> square(const std::vector<double>& values, std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  return {values.data(), n, n};
}

std::vector<double> list(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace

TabularModel::TabularModel(std::size_t states, std::size_t actions, double discount, std::vector<double> transitions,
                           std::vector<double> rewards)
    : states_(states), actions_(actions), discount_(discount), transitions_(std::move(transitions)), rewards_(std::move(rewards)) {
  expect(transitions_.size() == states * actions * states, "tabular model: expected {} transition probabilities, found {}",
         states * actions * states, transitions_.size());
  expect(!rewards_.empty() && rewards_.size() % (states * actions) == 0,
         "tabular model: expected rewards of {} states and actions, found {}", states * actions, rewards_.size());
  for (std::size_t row = 0; row < transitions_.size(); row += states) {
    double sum = 0;
    for (const double p : this->transitions().subspan(row, states)) {
      expect(p >= 0 && p <= 1, "tabular model: expected transition probabilities from 0 to 1, found {}", p);
      sum += p;
    }
    expect(std::abs(sum - 1) <= 1e-9, "tabular model: expected the probabilities of state {}, action {} to sum to 1, found {}",
           row / states / actions, row / states % actions, sum);
  }
  for (const double reward : rewards_) expect(std::isfinite(reward), "tabular model: expected finite rewards, found {}", reward);
}

std::vector<double> TabularModel::softmax_policy(std::span<const float> theta) const {
  expect(theta.size() == states_ * actions_, "tabular model: expected {} parameters, found {}", states_ * actions_, theta.size());
  std::vector<double> policy(theta.begin(), theta.end());
  for (std::size_t s = 0; s < states_; ++s) {
    const auto row = std::span(policy).subspan(s * actions_, actions_);
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& x : row) sum += x = std::exp(x - largest);
    for (double& x : row) x /= sum;
  }
  return policy;
}

std::size_t TabularModel::draw_action(std::span<const double> policy, std::size_t state, Random& random) const {
  return draw_index(policy.subspan(state * actions_, actions_), random);
}

std::size_t TabularModel::draw_next(std::size_t state, std::size_t action, Random& random) const {
  return draw_index(std::span(transitions_).subspan((state * actions_ + action) * states_, states_), random);
}

std::vector<double> TabularModel::transitions_of(std::span<const double> policy) const {
  std::vector<double> matrix(states_ * states_);
  for (std::size_t s = 0; s < states_; ++s) {
    for (std::size_t a = 0; a < actions_; ++a) {
      const double probability = policy[s * actions_ + a];
      for (std::size_t next = 0; next < states_; ++next) {
        matrix[s * states_ + next] += probability * transitions_[(s * actions_ + a) * states_ + next];
      }
    }
  }
  return matrix;
}

std::vector<double> TabularModel::values(std::span<const double> policy) const {
  const auto n = static_cast<Eigen::Index>(states_);
  Matrix rewards = Matrix::Zero(n, static_cast<Eigen::Index>(objectives()));
  for (std::size_t s = 0; s < states_; ++s) {
    for (std::size_t a = 0; a < actions_; ++a) {
      for (std::size_t k = 0; k < objectives(); ++k) {
        rewards(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(k)) += policy[s * actions_ + a] * reward(s, a, k);
      }
    }
  }
  const std::vector<double> matrix = transitions_of(policy);
  const Matrix system = Matrix::Identity(n, n) - discount_ * square(matrix, states_);
  return list(system.partialPivLu().solve(rewards));
}

std::vector<double> TabularModel::stationary(std::span<const double> policy) const {
  const auto n = static_cast<Eigen::Index>(states_);
  const std::vector<double> matrix = transitions_of(policy);
  const Matrix system = Matrix::Identity(n, n) - square(matrix, states_).transpose() + Matrix::Ones(n, n);  // d sums to 1
  return list(system.partialPivLu().solve(Matrix::Ones(n, 1)));
}

std::vector<double> TabularModel::visitation(std::span<const double> policy) const {
  const auto n = static_cast<Eigen::Index>(states_);
  const std::vector<double> matrix = transitions_of(policy);
  const Matrix system = Matrix::Identity(n, n) - discount_ * square(matrix, states_).transpose();
  const Matrix start = Matrix::Constant(n, 1, (1 - discount_) / static_cast<double>(states_));
  return list(system.partialPivLu().solve(start));
}

std::vector<double> TabularModel::returns(std::span<const double> policy) const {
  const std::vector<double> table = values(policy);
  std::vector<double> result(objectives());
  for (std::size_t i = 0; i < table.size(); ++i) result[i % result.size()] += (1 - discount_) / static_cast<double>(states_) * table[i];
  return result;
}

std::vector<double> TabularModel::return_gradients(std::span<const double> policy) const {
  const std::size_t m = objectives();
  const std::vector<double> table = values(policy);
  const std::vector<double> visits = visitation(policy);
  std::vector<double> gradients(m * policy.size());
  for (std::size_t i = 0; i < policy.size(); ++i) {  // state and action
    const std::size_t s = i / actions_;
    for (std::size_t k = 0; k < m; ++k) {
      double advantage = rewards_[i * m + k] - table[s * m + k];
      for (std::size_t next = 0; next < states_; ++next) advantage += discount_ * transitions_[i * states_ + next] * table[next * m + k];
      gradients[k * policy.size() + i] = visits[s] * policy[i] * advantage;
    }
  }
  return gradients;
}

std::size_t draw_index(std::span<const double> probabilities, Random& random) {
  double left = random.uniform();
  for (std::size_t i = 0; i + 1 < probabilities.size(); ++i) {
    left -= probabilities[i];
    if (left < 0) return i;
  }
  return probabilities.size() - 1;
}

}  // namespace paretofl
