#include "paretofl/alignment/kl_controller.h"

#include <algorithm>

namespace paretofl {

void KlController::observe(double kl, double batch_size) {
  if (target_ <= 0) return;
  coefficient_ *= 1 + std::clamp(kl / target_ - 1, -0.2, 0.2) * batch_size / horizon_;
}

}  // namespace paretofl
