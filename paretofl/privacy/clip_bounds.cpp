#include "paretofl/privacy/clip_bounds.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kFarthest = 1e6;

std::array<double, kClipKinds.size()> initial(const ReleaseOptions& options) {
  return {options.clip, options.clip_jacobian > 0 ? options.clip_jacobian : options.clip, options.clip_losses};
}

}  // namespace

const char* name_of(ClipKind kind) {
  static constexpr std::array kNames{"clip", "clip_jacobian", "clip_losses"};
  return kNames[static_cast<std::size_t>(kind)];
}

ClipBounds::ClipBounds(const ReleaseOptions& options) : bounds_(initial(options)) {}

void ClipBounds::adapt(ClipKind kind, double below, const ReleaseOptions& options) {
  const auto at = static_cast<std::size_t>(kind);
  const double began = initial(options)[at];
  bounds_[at] =
      std::clamp(bounds_[at] * std::exp(-options.clip_lr * (below - options.clip_quantile)), began / kFarthest, began * kFarthest);
}

Record ClipBounds::save() const {
  Record record;
  for (const ClipKind kind : kClipKinds) record.scalars.emplace(name_of(kind), of(kind));
  return record;
}

void ClipBounds::load(const Record& record) {
  for (const ClipKind kind : kClipKinds) {
    const double bound = record.scalar(name_of(kind));
    expect(std::isfinite(bound) && bound > 0, "{}: expected a positive number, found {}", name_of(kind), bound);
    bounds_[static_cast<std::size_t>(kind)] = bound;
  }
}

}  // namespace paretofl
