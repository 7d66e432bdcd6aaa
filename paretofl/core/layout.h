#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A half-open range of positions in a flat parameter buffer.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// One named tensor of a model and where it lies in the flat buffer.
struct Slice {
  /// Head of no objective: the slice belongs to the part that all objectives share.
  static constexpr int kShared = -1;

  std::string name;
  std::vector<std::int64_t> shape;
  int head = kShared;  ///< kShared, or the objective whose head this slice is part of
  Range range;         ///< filled in by Layout
};

/// The named slices of a flat parameter buffer. The shared part comes first, then the heads by
/// objective, so that the shared part and every head are one contiguous range each. Immutable, and
/// safe to share between threads.
class Layout {
 public:
  /// Lays the slices out in the order given. Throws Error on a duplicate name, a negative extent, or
  /// slices that are not ordered shared, head 0, head 1, ...
  explicit Layout(std::vector<Slice> slices);

  const std::vector<Slice>& slices() const { return slices_; }
  std::size_t size() const { return size_; }  ///< d, the number of parameters
  Range all() const { return {0, size_}; }
  Range shared() const { return shared_; }
  /// The range of objective k's head; empty (at the end of the buffer) where it has none.
  Range head(int objective) const;
  const Slice& slice(std::string_view name) const;

 private:
  std::vector<Slice> slices_;
  std::size_t size_ = 0;
  Range shared_;
};

/// A layout of one shared slice `name` of `size` numbers: all that a model without heads needs.
std::shared_ptr<const Layout> flat_layout(std::string name, std::size_t size);

}  // namespace paretofl
