#pragma once

#include <functional>

#include "paretofl/core/metrics.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

/// A server step for which the mean of the clients' vectors, and the mean of one number that each of them sends beside its vector, are
/// enough, so that secure aggregation can give the server these alone.
struct MeanAndFigure {
  std::string figure;               ///< name of the array [1] of an answer that holds the number
  ScalarizedClient::Finish finish;  ///< turns a client's answer into the vector [d] and the number; takes kStartLosses away if it is there
  /// Turns the mean vector [d] into the direction that is subtracted from theta, by the mean number. Adds figures of the round.
  std::function<void(std::vector<float>& mean, double figure, Metrics& metrics)> step;
};

/// Local training as FedAvg's, and such a step at the server. `losses` says which the clients take (ScalarizedClient); empty: none.
/// Throws Error naming `strategy` as check_scalarized() and check_losses() do.
Strategy make_mean_and_figure_strategy(const char* strategy, const ScalarizedOptions& options, const std::string& client_weighting,
                                       const std::string& losses, MeanAndFigure method, const Workload& workload);

}  // namespace paretofl
