#pragma once

#include <array>

#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/core/record.h"
#include "paretofl/core/reply.h"

/// What the messages between FedMOA's two halves hold beside theta and updates, by name.
namespace paretofl::fedmoa {

inline constexpr const char* kClusters = "clusters";  ///< in a request and the server's state: each cluster's weights
inline constexpr const char* kWeights = "weights";
inline constexpr const char* kCluster = "cluster";
inline constexpr const char* kAccuracy = "accuracy";
inline constexpr const char* kReward = "reward";
/// Figures of a client's steps with a number for each of its rewards; all but kReward may be missing.
inline constexpr std::array kOfRewards = {kReward, "reward_deviation", "flat_groups"};
inline constexpr const char* kHypergradient = "hypergradient";
inline constexpr const char* kLocal = "local_reward";

Record named(const NamedWeights& weights);
/// Throws Error unless all weights are finite and at least 0.
NamedWeights read_weights(const Record& record);

/// What a reply says of its client's rewards. Throws Error if a figure is missing or not finite, if it is of a reward that is not among the
/// `reward_names` or has no weight, and if the weights do not sum to 1. Hypergradients are read if weights adapt.
RewardReport read_report(const Reply& reply, const std::vector<std::string>& reward_names, bool adaptive_weights);

}  // namespace paretofl::fedmoa
