#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

namespace paretofl {

/// When an exchange ends although some clients have neither answered nor failed. The replies of these clients are then late.
struct ExchangeLimits {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  std::optional<std::chrono::duration<double>> deadline = std::nullopt;  ///< seconds after the exchange began, more than 0; empty: none
  std::size_t enough = kAll;  ///< number of answers without errors, at least 1, after which the exchange waits for nobody

  /// Whether an exchange of so many envelopes may end before all have answered or failed.
  bool may_end_early(std::size_t envelopes) const { return deadline.has_value() || enough < envelopes; }
};

}  // namespace paretofl
