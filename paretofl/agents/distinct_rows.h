#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paretofl {

/// Which rows of a matrix are the same to the bit. A network gives equal rows equal outputs, so a minibatch from an
/// environment of few observations needs a pass of the distinct ones only.
class DistinctRows {
 public:
  /// Of a matrix [n, width]; equal rows are numbered by their first appearance.
  void find(std::span<const float> rows, std::size_t width);

  std::size_t count() const { return count_; }                     ///< u, the number of distinct rows
  std::span<const float> rows() const { return distinct_; }        ///< [u, width]
  std::span<const std::uint32_t> index() const { return index_; }  ///< [n], each row's place among the distinct ones

 private:
  std::size_t count_ = 0;
  std::vector<float> distinct_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> table_;  // open addressing: a distinct row's number plus one, or 0
};

}  // namespace paretofl
