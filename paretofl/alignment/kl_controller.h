#pragma once

namespace paretofl {

/// The adaptive price of leaving the reference policy (Ziegler et al. 2019, section 2.2): after a batch with mean KL
/// estimate kl, coefficient <- coefficient (1 + clip(kl / target - 1, -0.2, 0.2) batch_size / horizon). Target 0 keeps the
/// coefficient.
class KlController {
 public:
  KlController(double coefficient, double target, double horizon) : coefficient_(coefficient), target_(target), horizon_(horizon) {}

  double coefficient() const { return coefficient_; }
  void observe(double kl, double batch_size);
  void restore(double coefficient) { coefficient_ = coefficient; }

 private:
  double coefficient_;
  double target_;
  double horizon_;
};

}  // namespace paretofl
