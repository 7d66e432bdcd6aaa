#include "paretofl/workloads/sample_evaluation.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void expect_fitting_model(BenchPool& benches, const SampleSource& source, std::uint32_t sample, std::string_view data,
                          std::string_view model) {
  const BenchPool::Lease bench(benches);
  const std::vector<float> theta(bench->model->layout()->size());
  std::vector<double> sums(static_cast<std::size_t>(bench->model->num_objectives()));
  std::vector<double> scores(sums.size());
  try {
    bench->model->evaluate(theta, source.load({&sample, 1}, nullptr, *bench), sums, scores);
  } catch (const Error& misfit) {
    throw Error(fmt::format("workload.model: expected a model for {}, found {}, which does not fit ({})", data, model, misfit.what()));
  }
}

SampleEvaluation evaluate_samples(BenchPool& benches, const SampleSource& source, std::span<const std::uint32_t> samples,
                                  std::span<const float> theta, ThreadPool& pool) {
  expect(!samples.empty(), "evaluation: expected samples in the split, found none");
  std::size_t objectives = 0;
  {
    const BenchPool::Lease bench(benches);
    const std::size_t parameters = bench->model->layout()->size();
    expect(theta.size() == parameters, "evaluation: expected {} parameters, found {}", parameters, theta.size());
    objectives = static_cast<std::size_t>(bench->model->num_objectives());
  }

  constexpr std::size_t kChunk = 256;
  const SampleEvaluation zeros{std::vector<double>(objectives), std::vector<double>(objectives)};
  std::vector<SampleEvaluation> chunks((samples.size() + kChunk - 1) / kChunk, zeros);
  pool.for_each(chunks.size(), [&](std::size_t chunk) {
    const BenchPool::Lease bench(benches);
    const std::size_t begin = chunk * kChunk;
    const Batch batch = source.load(samples.subspan(begin, std::min(kChunk, samples.size() - begin)), nullptr, *bench);
    bench->model->evaluate(theta, batch, chunks[chunk].losses, chunks[chunk].scores);
  });

  SampleEvaluation mean = zeros;
  const auto count = static_cast<double>(samples.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    for (const SampleEvaluation& chunk : chunks) {
      mean.losses[k] += chunk.losses[k];
      mean.scores[k] += chunk.scores[k];
    }
    mean.losses[k] /= count;
    mean.scores[k] /= count;
  }
  return mean;
}

}  // namespace paretofl
