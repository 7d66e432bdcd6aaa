#include "paretofl/strategies/fedmoa_messages.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl::fedmoa {

namespace {

/// Throws Error unless all of the record's scalars are finite and of rewards that have weights.
void expect_figures(const Record& record, const NamedWeights& weights) {
  for (const auto& [name, value] : record.scalars) {
    expect(weights.contains(name), "fedmoa: expected figures of rewards with a weight, found one of '{}'", name);
    expect(std::isfinite(value), "fedmoa: expected a finite figure of '{}', found {}", name, value);
  }
}

}  // namespace

Record named(const NamedWeights& weights) {
  Record record;
  record.scalars = {weights.begin(), weights.end()};
  return record;
}

NamedWeights read_weights(const Record& record) {
  for (const auto& [name, w] : record.scalars) {
    expect(std::isfinite(w) && w >= 0, "fedmoa: expected weights of at least 0, found {} of '{}'", w, name);
  }
  return {record.scalars.begin(), record.scalars.end()};
}

RewardReport read_report(const Reply& reply, const std::vector<std::string>& reward_names, bool adaptive_weights) {
  RewardReport report{.cluster = reply.extra.text(kCluster),
                      .accuracy = reply.extra.text(kAccuracy),
                      .weights = read_weights(reply.extra.record(kWeights)),
                      .num_samples = reply.num_samples};
  double sum = 0;
  for (const auto& [name, weight] : report.weights) {
    expect(std::find(reward_names.begin(), reward_names.end(), name) != reward_names.end(),
           "fedmoa: expected weights of the problem's rewards, found one of '{}'", name);
    sum += weight;
  }
  expect(std::abs(sum - 1) < 1e-6, "fedmoa: expected weights that sum to 1, found {}", sum);
  expect(report.weights.contains(report.accuracy), "fedmoa: expected a weight of the accuracy '{}', found none", report.accuracy);
  reply.extra.record(kReward);
  for (const char* name : kOfRewards) {
    if (const auto of = reply.extra.records.find(name); of != reply.extra.records.end()) expect_figures(of->second, report.weights);
  }
  if (adaptive_weights) expect_figures(reply.extra.record(kHypergradient), report.weights);
  for (const auto& [name, value] : reply.extra.scalars) expect(std::isfinite(value), "fedmoa: expected a finite {}, found {}", name, value);
  if (const auto local = reply.extra.records.find(kLocal); local != reply.extra.records.end()) {
    expect_figures(local->second, report.weights);
    local->second.scalar(report.accuracy);
  }
  return report;
}

}  // namespace paretofl::fedmoa
