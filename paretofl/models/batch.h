#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace paretofl {

/// A minibatch of N samples with a label or a target for each objective. Head says what a label byte means.
struct Batch {
  std::size_t size = 0;                  ///< N
  std::span<const float> inputs;         ///< [N, ...], images [N, C, H, W]
  std::span<const std::uint8_t> labels;  ///< [M, N]; may be empty if no head reads one
  std::span<const float> targets = {};   ///< [M, N] for heads without labels; may be empty likewise
  /// [M, N]: 0 where the sample has no label or target for the objective, else 1. Empty: all have. Only MultiHeadNet takes others.
  std::span<const std::uint8_t> known = {};
  /// [M]: the share of samples with a label or target among those that the batch is drawn from. Empty: the share within the batch.
  std::span<const double> known_shares = {};
};

}  // namespace paretofl
