#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/core/layout.h"

namespace paretofl {

/// Model parameters theta: one flat float32 buffer and the layout that names its slices. Copies and snapshots share the buffer until one of
/// them changes, so that a model that is sent to clients is in memory once. For one thread at a time.
class Parameters {
 public:
  /// Zeros, or `values` (throws Error unless their count is layout->size()).
  explicit Parameters(std::shared_ptr<const Layout> layout);
  Parameters(std::shared_ptr<const Layout> layout, std::vector<float> values);

  const Layout& layout() const { return *layout_; }
  const std::shared_ptr<const Layout>& shared_layout() const { return layout_; }
  std::size_t size() const { return values_->size(); }

  /// The values for writing, no longer shared with copies and snapshots. The span is invalid after a copy, a snapshot or a change.
  std::span<float> values();
  std::span<const float> values() const { return *values_; }
  /// The values as they are now. Later changes of the parameters do not change the snapshot.
  std::shared_ptr<const std::vector<float>> snapshot() const { return values_; }
  std::span<float> slice(std::string_view name);
  std::span<const float> slice(std::string_view name) const;

  /// theta <- theta - learning_rate * direction, direction [d].
  void step(double learning_rate, std::span<const float> direction);

 private:
  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<std::vector<float>> values_;
};

}  // namespace paretofl
