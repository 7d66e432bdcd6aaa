#pragma once

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

}  // namespace paretofl
