#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/round.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// What strategies ask about workloads whose clients have some of the objectives only (PartialOracle).

/// Throws Error naming `strategy` unless every client has every objective.
void check_all_objectives(const char* strategy, const Workload& workload);

/// Throws Error unless the weights of the clients are the uniform ones that PartialOracle's factors are for, or every client has every
/// objective.
void check_client_weighting(ClientWeighting weighting, const Workload& workload);

/// Throws Error unless the aggregator can combine the answers of a cohort of that many clients, all of them with every objective if it is
/// another than the mean, which is what PartialOracle's factors are for.
void check_aggregation(const Aggregation& aggregation, std::int64_t cohort_size, const Workload& workload);

/// Throws RoundAbandoned unless each objective has a client among those who answered: there is no gradient of the others to weigh against.
void expect_holders(const Round& round, const Cohort& answered, const Workload& workload);

/// The objectives, ascending, that at least one of the clients who answered has: those that a round can weigh against each other.
std::vector<std::size_t> held_objectives(const Cohort& answered, const Workload& workload);

/// make_tried_solver() for the workload's objectives; where clients have some of them, for fewer objectives as well, since a cohort or a
/// client may then have any number of them.
std::unique_ptr<WeightSolver> make_solver_for(const Workload& workload, const Component& component,
                                              std::span<const double> preference = {});

}  // namespace paretofl
