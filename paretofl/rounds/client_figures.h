#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/cohort.h"
#include "paretofl/core/metrics.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/round.h"
#include "paretofl/local/objective_training.h"

namespace paretofl {

/// The reply of a client that trained on the gradients of all objectives: the update [d], the losses, and O(M) figures.
/// With `with_steps` also those of every local step, "step_lambda" [tau, M] and "step_cosine" [tau, M (M - 1) / 2]
/// (ObjectiveTraining), the latter with two objectives or more. Throws Error unless the figures are finite.
Reply to_reply(ObjectiveTraining training, const ObjectiveSteps& steps, bool with_steps = false);

/// Describes the option by which strategies ask for these.
void describe_record_steps(OptionVisitor& visit, bool& record_steps);

/// Figures of a round whose clients answered so, [n, M] row-major in the replies' order: "cohort" [n], the clients' ids;
/// "client_lambda", "client_loss", "client_gradient_norm", each client's means over its local steps, and "client_<name>" of
/// each figure of the steps; means over the clients by the same names without "client_"; "lambda_spread",
/// mean_c ||lambda^c - mean lambda||_2; and "update_spread", mean_c ||u^c - u||_2^2 of the updates about `mean_update`, u [d].
/// The mean loss is left to the strategy's weighting.
Metrics client_figures(const Replies& replies, std::size_t objectives, std::span<const float> mean_update);

/// What a round of such clients leaves at the server.
struct TrainedCohort {
  std::vector<float> update;  ///< mean of the clients' updates [d]
  Metrics metrics;            ///< client_figures() and "train_loss" [M]; where the server may see sums alone, means of them
};

/// The arrays by name, each [M], that every answer of such a client must hold.
inline const std::vector<std::string> kClientFigures{"lambda", "gradient_norm"};

/// Leaves out, and notes, the replies that lack one of the arrays `required`, each [objectives], or one that more than half of the replies
/// hold in the same size, or in which one of these is not finite; takes away from the others the arrays that fewer hold.
void keep_readable_figures(Replies& replies, std::size_t objectives, const std::vector<std::string>& required, Exclusions& exclusions);

/// Asks the cohort for `request`, which such clients answer with updates [size]. `before_figures` sees the replies, where the server may,
/// and takes away from them what is no figure: the arrays `beside`, each [objectives]. Answers that cannot be used are left
/// out and noted.
TrainedCohort train_on_objectives(Round& round, const Cohort& cohort, const Request& request, std::size_t objectives, std::size_t size,
                                  const Aggregation& aggregation, Exclusions& exclusions, const std::vector<std::string>& beside = {},
                                  const std::function<void(Replies&)>& before_figures = {});

}  // namespace paretofl
