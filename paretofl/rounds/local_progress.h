#pragma once

#include <optional>
#include <span>
#include <vector>

#include "paretofl/aggregators/exclusions.h"
#include "paretofl/core/parameters.h"
#include "paretofl/core/round.h"
#include "paretofl/local/local_training.h"

namespace paretofl {

/// By how much the losses over all of a client's data fall from the global model to the client's own after its local steps: means over the
/// cohort, one figure per objective [M], negative where a loss rises. Twice from the same model (FedCMOO paper,
/// section E.4 and Figure 11): after steps on sum_k lambda_k f_k, and after steps on each objective alone, from which the client's model is
/// theta - sum_k lambda_k (theta - theta_k). The second is what FSMGDA's clients train, with the weights of the first: the paper does not
/// say which weights it takes.
struct LocalProgress {
  std::vector<double> together;
  std::vector<double> separate;
};

/// The verb of the exchange, whose bytes count as a measurement's.
inline constexpr const char* kMeasureProgress = "measure_progress";

/// Server half. Notes in `exclusions` whose answers cannot be read. Clients whose steps ended in losses that are not finite are left out,
/// which is no fault of theirs; no figure where nobody is left. Throws as Round::broadcast does.
std::optional<LocalProgress> measure_local_progress(Round& round, const Cohort& cohort, const Parameters& global,
                                                    const std::vector<double>& lambda, Exclusions& exclusions);

/// Client half, for clients that can tell their losses on all of their data (GradientOracle::local_losses). `factors` are the client's
/// (Workload::objective_factors).
Reply local_progress(const LocalTrainingOptions& options, const LocalTrainingOptions& separate_options, const GradientOracle& oracle,
                     std::span<const double> factors, const Request& request, StreamId stream);

}  // namespace paretofl
