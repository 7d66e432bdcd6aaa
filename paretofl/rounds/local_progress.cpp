#include "paretofl/rounds/local_progress.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/local/partial_oracle.h"

namespace paretofl {
namespace {

constexpr const char* kTogether = "together";
constexpr const char* kSeparate = "separate";

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// before - the losses at theta - update [d].
std::vector<double> fall(const GradientOracle& oracle, std::span<const double> before, std::span<const float> theta,
                         std::span<const float> update) {
  std::vector<float> at(theta.begin(), theta.end());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] -= update[i];
  std::vector<double> losses = oracle.local_losses(at);
  for (std::size_t k = 0; k < losses.size(); ++k) losses[k] = before[k] - losses[k];
  return losses;
}

}  // namespace

std::optional<LocalProgress> measure_local_progress(Round& round, const Cohort& cohort, const Parameters& global,
                                                    const std::vector<double>& lambda, Exclusions& exclusions) {
  const Round::Measurement apart(round);
  const Replies replies = round.broadcast(cohort, Request(kMeasureProgress).with(global).with_objective_weights(lambda));
  LocalProgress progress{std::vector<double>(lambda.size()), std::vector<double>(lambda.size())};
  double count = 0;
  for (const Reply& reply : replies) {
    try {
      const auto together = double_array(reply.extra, kTogether, lambda.size());
      const auto separate = double_array(reply.extra, kSeparate, lambda.size());
      if (!are_finite(together) || !are_finite(separate)) continue;
      for (std::size_t k = 0; k < lambda.size(); ++k) {
        progress.together[k] += together[k];
        progress.separate[k] += separate[k];
      }
      ++count;
    } catch (const Error&) {
      exclusions.add(reply.client, Fault::kMalformed);
    }
  }
  if (count == 0) return std::nullopt;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    progress.together[k] /= count;
    progress.separate[k] /= count;
  }
  return progress;
}

Reply local_progress(const LocalTrainingOptions& options, const LocalTrainingOptions& separate_options, const GradientOracle& oracle,
                     std::span<const double> factors, const Request& request, StreamId stream) {
  const auto theta = request.theta(oracle.layout()->size());
  const auto lambda = request.lambda(oracle.num_objectives());
  const Random draws(stream, "train");
  const std::vector<double> before = oracle.local_losses(theta);
  const HeldWeights held = held_weights(lambda, factors);
  const auto together = train_locally(options, theta, lambda.size(), [&](std::int64_t step, auto at, auto losses, auto gradient) {
    oracle.weighted_gradient(at, held.weights, {draws, step}, losses, gradient);
    descend_in_heads(*oracle.layout(), lambda, gradient);
  });
  std::vector<float> updates;  // [M, d]
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    const double factor = factors.empty() ? 1 : factors[k];
    LocalUpdate alone = train_on_objective(separate_options, oracle, theta, k, factor, draws.substream("objective", k));
    alone.scale_update(1 / held.scale);
    updates.insert(updates.end(), alone.update.begin(), alone.update.end());
  }
  std::vector<float> separate = weighted_rows(updates, lambda);
  descend_in_heads(*oracle.layout(), lambda, separate);

  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.extra.arrays.emplace(kTogether, Array(std::span<const double>(fall(oracle, before, theta, together.update))));
  reply.extra.arrays.emplace(kSeparate, Array(std::span<const double>(fall(oracle, before, theta, separate))));
  return reply;
}

}  // namespace paretofl
