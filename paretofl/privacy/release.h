#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/core/reply.h"
#include "paretofl/core/summation.h"
#include "paretofl/privacy/clip_bounds.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/release_options.h"
#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// One sum over the cohort as it leaves the clients: which of their numbers are in it, to which norm these are clipped, and with how much
/// noise. Client and server make the same one from what they know.
///
/// A sum consists of V vectors: a client's update, or one vector per objective, or its losses. Each is clipped to a norm C and
/// gets Gaussian noise of the standard deviation z sqrt(V) C under Poisson sampling, where neighbouring data sets differ by one client more
/// or less, and of twice that where cohorts have a fixed size and a client's data become another's. Together they are then one release of
/// noise multiplier z. With adaptive clipping, the sum also holds, for each kind of vectors, which share of them was below the bound; these
/// take a tenth of what the release discloses.
class Release {
 public:
  /// `layers` are the sizes of the layers of an update, for clipping by layer. Throws Error where the sum could overflow with this noise.
  Release(const SumSpec& spec, const ReleaseOptions& options, const ClipBounds& bounds, const FixedPoint& fixed_point,
          std::span<const std::size_t> layers = {});

  /// What of the strategy's wishes is in the sum: with noise, nothing that only the record needs.
  const SumSpec& spec() const { return spec_; }
  std::size_t size() const { return size_; }                             ///< numbers of a client
  double noise_multiplier() const { return options_.noise_multiplier; }  ///< of all of it; 0: no noise

  /// A client's numbers, clipped, in fixed point [size()]. Throws Error on a reply that has others, or numbers that are not finite.
  std::vector<std::uint64_t> values_of(const Reply& reply) const;

  /// Throws Error, naming privacy.bits, unless noise of this share of the variance is as wide as kNarrowestNoise (discrete_gaussian.h)
  /// among the integers that are summed.
  void expect_wide_noise(double share) const;

  /// Adds noise with a share of the variance, so that several of these together are enough. Throws as expect_wide_noise() does.
  void add_noise(std::span<std::uint64_t> values, const Secret& key, double share = 1) const;

  /// The mean of the sums [size()] over clients that count `weight` together; by default what they say they do.
  CohortMean mean(std::span<const std::uint64_t> sums, Cohort cohort, std::optional<double> weight = {}) const;

  /// Moves the bounds by what such sums say of the clients' norms, if the clipping is adaptive.
  void adapt(ClipBounds& bounds, std::span<const std::uint64_t> sums, double weight) const;

 private:
  struct Vector {
    ClipKind kind;
    std::size_t begin, size;          ///< among a client's numbers
    std::vector<std::size_t> pieces;  ///< sizes of what is clipped alone, each to C / sqrt(pieces)
  };

  void add_vectors(ClipKind kind, std::size_t begin, std::size_t size, std::size_t parts, std::span<const std::size_t> layers);
  bool has(ClipKind kind) const;
  double sensitivity(double bound, std::size_t size) const;
  double deviation(const Vector& vector) const;
  double bit_deviation() const;

  SumSpec spec_;
  ReleaseOptions options_;
  ClipBounds bounds_;
  FixedPoint fixed_point_;
  std::vector<Vector> vectors_;
  std::vector<ClipKind> bits_;  ///< kinds whose share below the bound is in the sum, at its end
  std::size_t size_ = 0;
};

}  // namespace paretofl
