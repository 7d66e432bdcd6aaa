#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/core/client.h"
#include "paretofl/core/round.h"
#include "paretofl/evaluation/run_models.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Wraps clients so that they also evaluate a model on the data that they hold out themselves (Workload::evaluate_held_out).
/// The workload must outlive them.
ClientFactory with_held_out_evaluation(ClientFactory factory, const Workload& workload);

/// Asks every client to evaluate the model that all share, or its own, on what it holds out: {"test": {metric: {objective: mean}},
/// "samples": {objective: how many are behind its figures}, "clients": how many have answered and hold something out, "failures":
/// [{"client", "reason"}] where there are any, "bytes_up", "bytes_down"}. The means are over the samples of all of them, summed in the
/// clients' order; an objective without a sample is left out.
/// {"abandoned": why} where too few clients answer. With `by_client` also "by_client": {metric: {objective: [n]}}, each client's own mean
/// in the order of their ids; null where it has none.
nlohmann::ordered_json evaluate_held_out(Round& round, const RunModels& models, const std::vector<std::string>& objectives,
                                         bool by_client = false);

}  // namespace paretofl
