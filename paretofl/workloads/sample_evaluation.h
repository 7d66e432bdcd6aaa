#pragma once

#include <string_view>

#include "paretofl/core/thread_pool.h"
#include "paretofl/workloads/bench_pool.h"

namespace paretofl {

/// A model's means over samples, per objective [M] (Model::evaluate).
struct SampleEvaluation {
  std::vector<double> losses;
  std::vector<double> scores;
};

/// Evaluates theta [d] on the samples, spread over the pool; the result does not depend on the number of threads.
/// Throws Error without a sample or with theta of another size.
SampleEvaluation evaluate_samples(BenchPool& benches, const SampleSource& source, std::span<const std::uint32_t> samples,
                                  std::span<const float> theta, ThreadPool& pool);

/// Tries the model on one sample, so that data which don't fit it are found before the first round. Throws Error, which says
/// "workload.model: expected a model for `data`, found `model`" and why.
void expect_fitting_model(BenchPool& benches, const SampleSource& source, std::uint32_t sample, std::string_view data,
                          std::string_view model);

}  // namespace paretofl
