#include "paretofl/scalarized/corrected_training.h"

namespace paretofl {

LocalUpdate train_corrected(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const float> theta,
                            std::span<const double> lambda, std::span<const float> correction, StreamId stream) {
  const Random draws(stream, "train");
  return train_locally(options, theta, lambda.size(), [&](std::int64_t step, auto at, std::span<double> losses, std::span<float> gradient) {
    oracle.weighted_gradient(at, lambda, {draws, step}, losses, gradient);
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += correction[j];
  });
}

}  // namespace paretofl
