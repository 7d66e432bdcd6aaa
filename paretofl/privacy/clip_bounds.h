#pragma once

#include <array>
#include <cstddef>

#include "paretofl/core/record.h"
#include "paretofl/privacy/release_options.h"

namespace paretofl {

/// What kinds of numbers have norms of their own.
enum class ClipKind : std::size_t { kUpdate, kJacobian, kLosses };
inline constexpr std::array kClipKinds{ClipKind::kUpdate, ClipKind::kJacobian, ClipKind::kLosses};

/// The largest norms that clients' numbers have in a sum, by kind.
class ClipBounds {
 public:
  explicit ClipBounds(const ReleaseOptions& options);

  double of(ClipKind kind) const { return bounds_[static_cast<std::size_t>(kind)]; }

  /// Moves one of them so that a share `quantile` of the norms comes to lie below it, where now a share `below` does, as far as noise lets
  /// one know: times exp(-clip_lr (below - clip_quantile)) (Andrew et al. 2021, "Differentially private learning with adaptive clipping",
  /// section 2). Not beyond a factor of 1e6 from where it began.
  void adapt(ClipKind kind, double below, const ReleaseOptions& options);

  Record save() const;
  /// Throws Error unless the record holds three positive numbers.
  void load(const Record& record);

 private:
  std::array<double, kClipKinds.size()> bounds_;
};

/// "clip", "clip_jacobian", "clip_losses"
const char* name_of(ClipKind kind);

}  // namespace paretofl
