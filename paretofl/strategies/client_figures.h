#pragma once

#include <span>

#include "paretofl/core/cohort.h"
#include "paretofl/core/metrics.h"
#include "paretofl/core/reply.h"
#include "paretofl/local/objective_training.h"

namespace paretofl {

/// The reply of a client that trained on the gradients of all objectives: the update [d], the losses, and O(M) figures.
/// Throws Error unless the figures are finite.
Reply to_reply(ObjectiveTraining training, const ObjectiveSteps& steps);

/// Figures of a round whose clients answered so, [n, M] row-major in the replies' order: "cohort" [n], the clients' ids;
/// "client_lambda", "client_loss", "client_gradient_norm", each client's means over its local steps, and "client_<name>" of
/// each figure of the steps; means over the clients by the same names without "client_"; "lambda_spread",
/// mean_c ||lambda^c - mean lambda||_2; and "update_spread", mean_c ||u^c - u||_2^2 of the updates about `mean_update`, u [d].
/// The mean loss is left to the strategy's weighting.
Metrics client_figures(const Replies& replies, std::size_t objectives, std::span<const float> mean_update);

}  // namespace paretofl
