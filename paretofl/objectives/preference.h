#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

/// A preference: how much each of M objectives matters to a client, non-negative and with sum 1 (FedPref,
/// Section 3.1, w^i). Private to its client, and fixed. Immutable, and safe to share between threads.
class Preference {
 public:
  /// From numbers of any scale, divided by their sum. Throws Error unless there are `objectives` of
  /// them, all finite, none negative, at least one positive.
  Preference(std::vector<double> weights, std::size_t objectives);

  /// From numbers that sum to 1 within 1e-9, which stay as they are to the last bit. Throws Error for another sum, and as the constructor
  /// does.
  static Preference of_shares(std::vector<double> shares, std::size_t objectives);

  /// The same over the objectives that a client has, where its `factors` [M] are not 0 (PartialOracle): scaled to sum to 1, and 0 for the
  /// others. With no factors it is this one. Throws Error if the preference is 0 for all that it has.
  Preference over_held(std::span<const double> factors) const;

  std::size_t size() const { return weights_.size(); }  ///< M
  double operator[](std::size_t objective) const { return weights_[objective]; }
  std::span<const double> weights() const { return weights_; }

  /// sum_j w_j f_j (FedPref, equation 1) of objective values f [M].
  double scalarize(std::span<const double> values) const;

  bool operator==(const Preference&) const = default;

 private:
  std::vector<double> weights_;
};

/// Every objective counts the same: 1/M.
Preference uniform_preference(std::size_t objectives);

}  // namespace paretofl
