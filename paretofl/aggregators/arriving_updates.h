#pragma once

#include <vector>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/round.h"

namespace paretofl {

/// Combines the updates of one exchange as they come. The mean sums and frees each of them; other rules hold them all until take(). Answers
/// that cannot be used are left out and noted.
class ArrivingUpdates {
 public:
  /// For updates [size] with losses [objectives] of at most `cohort` clients; each update holds vectors of `parts` objectives, one after
  /// another. `aggregation` and `exclusions` must outlive the object.
  ArrivingUpdates(const Aggregation& aggregation, Exclusions& exclusions, std::size_t size, std::size_t objectives, std::size_t cohort,
                  std::size_t parts = 1);

  /// Takes the reply's update away.
  void add(Reply& reply);

  /// Removes the replies that were left out. Throws as Aggregation::expect_enough does.
  void keep_usable(Replies& replies) const;

  /// The combination [size]. Ends the sum.
  std::vector<float> take();

 private:
  const Aggregation& aggregation_;
  Exclusions& exclusions_;
  std::size_t size_, objectives_, parts_;
  ArrivingMean mean_;                        ///< if the aggregator is the mean
  std::vector<std::vector<float>> updates_;  ///< otherwise
  std::vector<double> weights_;              ///< of these
  std::vector<int> left_out_;                ///< clients, ascending
};

/// Asks the cohort for `request` and combines the updates [size] and the losses [objectives] of its answers: where the server may see sums
/// alone, by Round::sum, and otherwise by ArrivingUpdates, of vectors of `parts` objectives. There `unpack`, where given, first makes the
/// update of an answer from what was sent. Throws as these do.
CohortMean combine_cohort(Round& round, const Cohort& cohort, const Request& request, std::size_t size, std::size_t objectives,
                          const Aggregation& aggregation, Exclusions& exclusions, std::size_t parts = 1, const LossUse& loss_use = {},
                          const OnReply& unpack = {});

}  // namespace paretofl
