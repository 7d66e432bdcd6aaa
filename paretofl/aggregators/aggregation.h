#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "paretofl/aggregators/aggregator.h"
#include "paretofl/aggregators/exclusions.h"
#include "paretofl/aggregators/mean.h"
#include "paretofl/core/cohort.h"

namespace paretofl {

/// What every strategy that averages updates asks about it.
struct AggregationOptions {
  Component aggregator{"mean", {}};
  double max_samples = 0;

  void describe(OptionVisitor& visit);
};

/// How a server combines what the clients of a cohort send: the aggregator, the clients' weights, and whose answers cannot be used. Copies
/// share the aggregator. Thread-safe.
///
/// With the mean, everything is as in mean.h, to the bit. Every other rule needs all updates at once, so memory holds those of the whole
/// cohort; vectors of several objectives, such as the rows of jacobians, are combined objective by objective; and small statistics, the
/// losses and M x M matrices, are combined by the coordinate-wise median.
class Aggregation {
 public:
  Aggregation(const AggregationOptions& options, ClientWeighting weighting);

  bool is_mean() const { return aggregator_->is_mean(); }
  ClientWeighting weighting() const { return weighting_; }
  bool by_samples() const { return weighting_ == ClientWeighting::kSamples; }
  std::size_t fewest() const { return aggregator_->fewest(); }

  /// Why an answer with an update [size], and where `objectives` > 0 with losses [objectives], cannot be used; empty if it can.
  std::optional<Fault> fault(const Reply& reply, std::size_t size, std::size_t objectives) const;

  /// Removes the replies with faults and notes them in `exclusions`. Throws as expect_enough does.
  void keep_usable(Replies& replies, std::size_t size, std::size_t objectives, Exclusions& exclusions) const;

  /// Throws Error if all of the answers were excluded, and RoundAbandoned if fewer are left than the aggregator needs.
  void expect_enough(std::size_t left) const;

  /// The replies' updates [objectives * d] combined.
  std::vector<float> combine(const Replies& replies, std::size_t size, std::size_t objectives = 1) const;
  /// Likewise with each reply's share [n].
  std::vector<float> combine(const Replies& replies, std::size_t size, std::span<const double> shares, std::size_t objectives = 1) const;
  /// Vectors [n], each [objectives * d], by another rule than the mean.
  std::vector<float> combine(Vectors vectors, std::span<const double> shares, std::size_t objectives) const;

  /// The replies' losses [objectives] combined.
  std::vector<double> losses(const Replies& replies, std::size_t objectives) const;

 private:
  std::shared_ptr<const Aggregator> aggregator_;
  ClientWeighting weighting_;
  double max_samples_;
};

/// The median of each coordinate of the rows [n], each [d], in double precision; of an even number, the mean of the two in the middle.
std::vector<double> median_row(const std::vector<std::vector<double>>& rows);

}  // namespace paretofl
