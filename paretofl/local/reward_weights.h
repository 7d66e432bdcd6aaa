#pragma once

#include <span>
#include <vector>

namespace paretofl {

/// What Delta_k is of the gradients of two steps.
enum class HypergradientKind {
  kInnerProduct,  ///< <g_k, g_k of the step before>, as the paper has it
  kCosine,        ///< that over both norms, in [-1, 1] whatever the scale of the model and of the reward; 0 where one of them is 0
};

/// Weights of rewards that follow their hypergradients (FedMOA, section 3.2): at each step Delta_k = <g_k, g_k of the step
/// before>, or its cosine, where g_k [H] is the gradient of reward k's own loss at a hidden layer; w_k <- w_k + rate Delta_k, then w is
/// projected on the simplex. A reward whose gradients keep their direction gains weight, one that has converged (gradients
/// zero, or of changing sign) loses it to the others. The first step has no step before it and changes nothing.
class RewardWeights {
 public:
  /// Starts at `weights` [K]. Throws Error unless they are on the simplex.
  RewardWeights(std::vector<double> weights, double rate, HypergradientKind kind = HypergradientKind::kInnerProduct);

  std::span<const double> weights() const { return weights_; }  ///< [K]
  /// Mean Delta_k over the steps that had one before them [K]; zeros where there were none.
  std::vector<double> mean_hypergradients() const;

  /// Takes the gradients [K, H] of a step. Throws Error unless they are finite and of the same size at every step.
  void observe(std::span<const double> gradients);

 private:
  std::vector<double> weights_;
  double rate_;
  HypergradientKind kind_;
  std::vector<double> before_;  ///< [K, H]
  std::vector<double> sums_;    ///< of Delta [K]
  double steps_ = 0;
  std::vector<double> scratch_;
};

}  // namespace paretofl
