#include "paretofl/workloads/sample_oracle.h"

#include <algorithm>

#include "paretofl/local/minibatch.h"

namespace paretofl {
namespace {

constexpr std::size_t kClippedAtOnce = 256;    // samples in memory
constexpr std::size_t kEvaluatedAtOnce = 256;  // likewise

Random dropout(const Draw& draw) { return draw.stream.substream("dropout", static_cast<std::uint64_t>(draw.step)); }

}  // namespace

SampleOracle::SampleOracle(BenchPool& benches, const SampleSource& source, std::span<const std::uint32_t> samples, std::size_t batch_size)
    : benches_(benches),
      source_(source),
      samples_(samples),
      batch_size_(std::min(batch_size, samples.size())),
      known_shares_(source.known_shares(samples)) {
  const BenchPool::Lease bench(benches);
  num_objectives_ = static_cast<std::size_t>(bench->model->num_objectives());
  layout_ = bench->model->layout();
}

void SampleOracle::jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const {
  const BenchPool::Lease bench(benches_);
  bench->model->jacobian(theta, load(draw, *bench), dropout(draw), losses, jacobian);
}

void SampleOracle::weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                     std::span<double> losses, std::span<float> gradient) const {
  const BenchPool::Lease bench(benches_);
  bench->model->weighted_gradient(theta, load(draw, *bench), objective_weights, dropout(draw), losses, gradient);
}

double SampleOracle::objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                        std::span<float> gradient) const {
  const BenchPool::Lease bench(benches_);
  return bench->model->objective_gradient(theta, load(draw, *bench), static_cast<int>(objective), dropout(draw), gradient);
}

std::vector<double> SampleOracle::local_losses(std::span<const float> theta) const {
  const BenchPool::Lease bench(benches_);
  std::vector<double> losses(num_objectives_);
  std::vector<double> scores(num_objectives_);
  for (std::size_t first = 0; first < samples_.size(); first += kEvaluatedAtOnce) {
    const auto some = samples_.subspan(first, std::min(kEvaluatedAtOnce, samples_.size() - first));
    bench->model->evaluate(theta, source_.load(some, nullptr, *bench), losses, scores);
  }
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const double known = known_shares_.empty() ? 1 : known_shares_[k];
    losses[k] = known > 0 ? losses[k] / (known * num_samples()) : 0;
  }
  return losses;
}

void SampleOracle::add_clipped_samples(std::span<const float> theta, const GradientTerms& terms, std::span<const std::uint32_t> samples,
                                       const Draw& draw, const ClippedSums& sums) const {
  const BenchPool::Lease bench(benches_);
  if (!bench->model->clips_samples()) return GradientOracle::add_clipped_samples(theta, terms, samples, draw, sums);
  for (std::size_t first = 0; first < samples.size(); first += kClippedAtOnce) {
    const auto some = samples.subspan(first, std::min(kClippedAtOnce, samples.size() - first));
    const Draw drawn{draw.stream.substream("samples", first), draw.step};
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t sample : some) numbers.push_back(samples_[sample]);
    const std::vector<double> losses(sums.losses.begin(), sums.losses.end());
    const std::vector<double> gradients(sums.gradients.begin(), sums.gradients.end());
    try {
      bench->model->add_clipped_gradients(theta, source_.load(numbers, &drawn, *bench), terms, dropout(drawn), sums);
    } catch (const NotFiniteSample&) {  // one sample after the other, which leaves it out
      std::copy(losses.begin(), losses.end(), sums.losses.begin());
      std::copy(gradients.begin(), gradients.end(), sums.gradients.begin());
      GradientOracle::add_clipped_samples(theta, terms, some, draw, sums);
    }
  }
}

Batch SampleOracle::load(const Draw& draw, Bench& bench) const {
  Batch batch = source_.load(minibatch(samples_, batch_size_, draw), &draw, bench);
  // What a single sample gives must not depend on which labels others have (differential privacy): without its label it gives 0.
  if (!draw.only) batch.known_shares = known_shares_;
  return batch;
}

}  // namespace paretofl
