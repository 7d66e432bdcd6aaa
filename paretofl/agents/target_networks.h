#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

/// The target networks: copies that slowly follow the networks that theta begins with [d]. They are stored here, or, if clients send them,
/// at the end of theta.
class TargetNetworks {
 public:
  TargetNetworks(std::size_t size, bool sent) : size_(size), sent_(sent), kept_(sent ? 0 : size) {}

  std::span<float> trained(std::span<float> theta) const { return theta.first(size_); }
  std::span<float> of(std::span<float> theta) { return sent_ ? theta.last(size_) : std::span(kept_); }
  /// If they are stored here, makes them copies of the trained ones. Those that are sent come with theta.
  void start(std::span<const float> theta) {
    if (!sent_) std::ranges::copy(theta.first(size_), kept_.begin());
  }
  void copy_trained(std::span<float> theta) { std::ranges::copy(trained(theta), of(theta).begin()); }

  void save(Record& state) const {
    if (!sent_) state.arrays.emplace("targets", Array(std::span<const float>(kept_)));
  }
  /// Throws Error unless the state has what save wrote.
  void load(const Record& state) {
    if (sent_) return;
    const auto saved = float_array(state, "targets", size_);
    kept_.assign(saved.begin(), saved.end());
  }

 private:
  std::size_t size_;
  bool sent_;
  std::vector<float> kept_;  // [d] where they aren't sent
};

}  // namespace paretofl
