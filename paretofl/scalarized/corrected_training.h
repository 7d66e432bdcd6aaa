#pragma once

#include <span>
#include <vector>

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

/// Local steps on f = sum_k lambda_k f_k along gradient + correction [d], a vector that stays the same in all of them (variance reduction
/// of clients that drift apart), from theta [d]; the proximal term of the options is added too. With a correction of zeros, the draws and
/// the bits are those of FedAvg's client.
LocalUpdate train_corrected(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> theta,
                            std::span<const double> lambda, std::span<const float> correction, StreamId stream);

}  // namespace paretofl
