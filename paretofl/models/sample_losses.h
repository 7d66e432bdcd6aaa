#pragma once

#include <vector>

#include "paretofl/kernels/lanes.h"
#include "paretofl/privacy/clipped_sums.h"

namespace paretofl {

/// The losses of each of up to kLanes samples, term by term.
class SampleLosses {
 public:
  explicit SampleLosses(std::size_t terms) : terms_(terms), losses_(terms * kLanes) {}

  /// Sets a term's losses of the first `count` samples: `loss_of(lanes)` is the loss of the samples whose lane is 1.
  template <class Function>
  void set(std::size_t term, std::size_t count, const Function& loss_of) {
    for (std::size_t n = 0; n < count; ++n) {
      Lanes alone{};
      alone[n] = 1;
      losses_[n * terms_ + term] = loss_of(alone);
    }
  }

  /// Adds those of the first `count` samples, clipped.
  void add_clipped(std::size_t count, const ClippedSums& sums) const {
    for (std::size_t n = 0; n < count; ++n) add_clipped_losses(std::span(losses_).subspan(n * terms_, terms_), sums);
  }

 private:
  std::size_t terms_;
  std::vector<double> losses_;  // [kLanes, terms]
};

}  // namespace paretofl
