#pragma once

#include <string>
#include <vector>

#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/core/cohort.h"
#include "paretofl/core/metrics.h"

namespace paretofl {

/// Figures of a round of FedMOA, `reports` in the replies' order: "cohort" [n], the clients' ids; "client_lambda" [n, M], their weights by
/// `reward_names`, 0 for a reward that a client does not have, and their means "lambda"; "client_reward" [n, M], their training rewards,
/// likewise; the means over the clients that have them of each
/// reward ("reward_<name>"), of each hypergradient where weights adapt, and of each figure of the steps that more than half of the clients
/// have; "train_loss" [M], minus the
/// rewards, where every reward is some client's; and where clients evaluated their own models "local_accuracy" [n], "local_reward" [n], the
/// mean over their rewards, and "local_rewards" [n, M]. The replies are those that fedmoa::read_report has read.
Metrics fedmoa_figures(const Replies& replies, const std::vector<RewardReport>& reports, const std::vector<std::string>& reward_names,
                       bool adaptive_weights);

}  // namespace paretofl
