#pragma once

#include <span>
#include <vector>

#include "paretofl/core/client_models.h"

namespace paretofl {

/// The mean of some clients' models [d], summed in their order in float64. Throws Error unless there is at least one.
std::vector<double> cluster_mean(const ClientModels& models, std::span<const int> members);

/// How far the mean of some clients' models has moved between two sets of models: ||mean - mean'|| (FedPref,
/// Algorithm 3, lines 7 and 8).
double mean_change(const ClientModels& before, const ClientModels& after, std::span<const int> members);

/// Writes theta_i - reference [d] for each of some clients as a row of `updates` [members, d].
void updates_from(std::span<const double> reference, const ClientModels& models, std::span<const int> members, std::span<float> updates);

}  // namespace paretofl
