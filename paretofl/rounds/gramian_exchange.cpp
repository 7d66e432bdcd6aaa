#include "paretofl/rounds/gramian_exchange.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "paretofl/core/error.h"
#include "paretofl/optimization/cross_products.h"
#include "paretofl/optimization/positive_semidefinite.h"

namespace paretofl {
namespace {

// In requests for sums over the cohort: all clients draw from one stream for their sketches, and send what corrects a Gramian as one
// matrix.
constexpr const char* kOneStream = "one_stream";
constexpr const char* kCorrectionAlone = "correction_alone";
constexpr const char* kCorrection = "correction";
constexpr const char* kSketchStream = "sketch";
// In requests for one of several independent samples: its number.
constexpr const char* kSample = "sample";

template <class T>
bool all_finite(const std::vector<T>& values) {
  bool finite = true;
  for (const T x : values) finite &= std::isfinite(x);
  return finite;
}

Square as_matrix(std::span<const double> values, std::size_t objectives) {
  const auto m = static_cast<Eigen::Index>(objectives);
  return Eigen::Map<const Square>(values.data(), m, m);
}

Square zero(std::size_t objectives) {
  const auto m = static_cast<Eigen::Index>(objectives);
  return Square::Zero(m, m);
}

Square gram(std::span<const float> rows, std::size_t objectives) {
  return as_matrix(gramian_of_rows(rows, objectives).values(), objectives);
}

Array square_array(const Square& matrix) {
  return Array(std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size())), {matrix.rows(), matrix.cols()});
}

/// Reads an answer by `read`, which throws Error where it cannot and returns whether all numbers are finite. Notes a fault.
bool readable(const Reply& reply, Exclusions& exclusions, const std::function<bool()>& read) {
  try {
    if (read()) return true;
    exclusions.add(reply.client, Fault::kNotFinite);
  } catch (const Error&) {
    exclusions.add(reply.client, Fault::kMalformed);
  }
  return false;
}

/// Sums the clients' matrices, or takes n times their median in each entry.
Square total_of(const std::vector<Square>& matrices, bool by_median) {
  Square total = zero(static_cast<std::size_t>(matrices.front().rows()));
  if (!by_median) {
    for (const Square& matrix : matrices) total += matrix;
    return total;
  }
  std::vector<std::vector<double>> rows;
  for (const Square& matrix : matrices) rows.emplace_back(matrix.data(), matrix.data() + matrix.size());
  const std::vector<double> median = median_row(rows);
  return static_cast<double>(matrices.size()) * as_matrix(median, static_cast<std::size_t>(total.rows()));
}

}  // namespace

GramianEstimate GramianServer::estimate(Round& round, const Cohort& cohort, const Parameters& theta) const {
  if (round.sums_only()) return estimate_of_sums(round, cohort, theta);
  Replies sketches = round.broadcast(cohort, Request("sketch_jacobian").with(theta));
  GramianEstimate estimate{Gramian(objectives_), {}, {}, {}, {}};
  aggregation_.keep_usable(sketches, 0, objectives_, estimate.exclusions);
  switch (compressor_->protocol()) {
    case GramianProtocol::kOneWay:
      estimate.gramian = of_mean(sketches, estimate.exclusions);
      break;
    case GramianProtocol::kTwoWay:
      estimate.gramian = corrected(round, sketches, estimate.exclusions);
      break;
    case GramianProtocol::kOwnGramians:
      estimate.gramian = sum_of_own(sketches, estimate.exclusions);
      break;
  }
  estimate.losses = aggregation_.losses(sketches, objectives_);
  estimate.cohort = sketches.cohort();
  if (measure_error_) estimate.error = error(round, estimate);
  return estimate;
}

JacobianEstimate GramianServer::mean_jacobian(Round& round, const Cohort& cohort, const Parameters& theta, int sample) const {
  Request request = Request("sketch_jacobian").with(theta);
  request.extra.scalars.emplace(kSample, sample);
  Replies sketches = round.broadcast(cohort, request);
  JacobianEstimate estimate;
  aggregation_.keep_usable(sketches, 0, objectives_, estimate.exclusions);
  estimate.rows = sum_of(sketches, estimate.exclusions);
  for (float& x : estimate.rows) x /= static_cast<float>(sketches.size());
  estimate.losses = aggregation_.losses(sketches, objectives_);
  estimate.cohort = sketches.cohort();
  return estimate;
}

GramianEstimate GramianServer::of_two_samples(const JacobianEstimate& first, const JacobianEstimate& second, Cohort cohort) {
  const std::size_t objectives = first.losses.size();
  std::vector<double> products = cross_products(first.rows, second.rows, objectives);
  const Square cross = as_matrix(products, objectives);
  GramianEstimate estimate{nearest_positive_semidefinite((cross + cross.transpose()) / 2),
                           first.losses,
                           std::move(cohort),
                           {},
                           first.exclusions,
                           std::move(products)};
  for (std::size_t k = 0; k < objectives; ++k) estimate.losses[k] = (first.losses[k] + second.losses[k]) / 2;
  estimate.exclusions.add(second.exclusions);
  return estimate;
}

GramianEstimate GramianServer::estimate(Replies sketches) const {
  GramianEstimate estimate{Gramian(objectives_), {}, {}, {}, {}};
  aggregation_.keep_usable(sketches, 0, objectives_, estimate.exclusions);
  const bool own = compressor_->protocol() == GramianProtocol::kOwnGramians;
  estimate.gramian = own ? sum_of_own(sketches, estimate.exclusions) : of_mean(sketches, estimate.exclusions);
  estimate.losses = aggregation_.losses(sketches, objectives_);
  estimate.cohort = sketches.cohort();
  return estimate;
}

/// n times the combination of the clients' reconstructions [M, d]; with the mean, their sum. `each`, where given, is shown every one of
/// them.
std::vector<float> GramianServer::sum_of(Replies& sketches, Exclusions& exclusions,
                                         const std::function<void(std::span<const float>)>& each) const {
  std::vector<float> sum(objectives_ * dimension_);
  std::vector<float> one(sum.size());
  std::vector<std::vector<float>> all;
  std::erase_if(sketches.replies, [&](const Reply& reply) {
    if (!readable(reply, exclusions, [&] {
          compressor_->reconstruct(reply.extra, objectives_, one);
          return all_finite(one);
        })) {
      return true;
    }
    if (aggregation_.is_mean()) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
    } else {
      all.push_back(one);
    }
    if (each) each(one);
    return false;
  });
  aggregation_.expect_enough(sketches.size());
  if (aggregation_.is_mean()) return sum;
  const std::vector<std::span<const float>> vectors(all.begin(), all.end());
  const auto n = static_cast<float>(all.size());
  sum = aggregation_.combine(vectors, std::vector<double>(all.size(), 1 / double{n}), objectives_);
  for (float& x : sum) x *= n;
  return sum;
}

Gramian GramianServer::of_mean(Replies& sketches, Exclusions& exclusions) const {
  const Square gram_of_sum = gram(sum_of(sketches, exclusions), objectives_);
  const auto n = static_cast<double>(sketches.size());
  return nearest_positive_semidefinite(gram_of_sum / (n * n));
}

Gramian GramianServer::sum_of_own(Replies& sketches, Exclusions& exclusions) const {
  std::vector<Square> own;
  std::erase_if(sketches.replies, [&](const Reply& reply) {
    return !readable(reply, exclusions, [&] {
      const Square matrix = as_matrix(double_array(reply.extra, "gramian", objectives_ * objectives_), objectives_);
      if (matrix.allFinite()) own.push_back(matrix);
      return matrix.allFinite();
    });
  });
  aggregation_.expect_enough(sketches.size());
  const auto n = static_cast<double>(sketches.size());
  return nearest_positive_semidefinite(total_of(own, !aggregation_.is_mean()) / (n * n));
}

Gramian GramianServer::corrected(Round& round, Replies& sketches, Exclusions& exclusions) const {
  Request correction("correct_gramian");
  std::vector<Square> own_grams;  // H_i^T H_i of every reconstruction
  Square gram_of_sum;
  {
    const std::vector<float> sum =
        sum_of(sketches, exclusions, [&](std::span<const float> one) { own_grams.push_back(gram(one, objectives_)); });
    gram_of_sum = gram(sum, objectives_);
    correction.extra = compressor_->compress(sum, objectives_, round.random("sketch of the sum"));
  }
  Replies corrections = round.broadcast(sketches.cohort(), correction);
  std::vector<std::pair<Square, Square>> answers;  // Gramian and residual
  std::erase_if(corrections.replies, [&](const Reply& reply) {
    return !readable(reply, exclusions, [&] {
      Square exact = as_matrix(double_array(reply.extra, "gramian", objectives_ * objectives_), objectives_);
      Square residual = as_matrix(double_array(reply.extra, "residual", objectives_ * objectives_), objectives_);
      const bool finite = exact.allFinite() && residual.allFinite();
      if (finite) answers.emplace_back(std::move(exact), std::move(residual));
      return finite;
    });
  });
  aggregation_.expect_enough(corrections.size());

  // Clients that fell silent in between leave the estimate.
  const bool complete = corrections.size() == sketches.size();
  const auto m = static_cast<double>(corrections.size());
  const double share = complete ? 1 : (m - 1) / (static_cast<double>(sketches.size()) - 1);
  std::vector<Square> terms;
  Replies remaining{{}, sketches.sampled};
  for (std::size_t i = 0; i < sketches.size(); ++i) {
    const std::size_t answered = terms.size();
    if (answered == corrections.size() || corrections.replies[answered].client != sketches.replies[i].client) continue;
    const Square cross = share * answers[answered].second;
    terms.emplace_back(answers[answered].first - own_grams[i] + cross + cross.transpose());
    remaining.replies.push_back(std::move(sketches.replies[i]));
  }
  Square total = total_of(terms, !aggregation_.is_mean());
  total += complete ? gram_of_sum : gram(sum_of(remaining, exclusions), objectives_);
  sketches = std::move(remaining);
  return nearest_positive_semidefinite(total / (m * m));
}

std::optional<GramianError> GramianServer::error(Round& round, GramianEstimate& estimate) const {
  const Round::Measurement apart(round);
  Replies replies;
  try {
    replies = round.broadcast(estimate.cohort, Request("send_jacobian"));
  } catch (const RoundAbandoned&) {
    return std::nullopt;  // the round itself can go on
  }
  std::vector<float> mean(objectives_ * dimension_);
  std::erase_if(replies.replies, [&](const Reply& reply) {
    return !readable(reply, estimate.exclusions, [&] {
      const auto rows = float_array(reply.extra, "jacobian", mean.size());
      return std::all_of(rows.begin(), rows.end(), [](float x) { return std::isfinite(x); });
    });
  });
  if (replies.size() != estimate.cohort.size()) return std::nullopt;
  for (const Reply& reply : replies) {
    const auto rows = float_array(reply.extra, "jacobian", mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += rows[i] / static_cast<float>(replies.size());
  }
  return relative_error(estimate.gramian, mean);
}

std::optional<GramianError> GramianServer::relative_error(const Gramian& gramian, const std::vector<float>& jacobian) const {
  const Square exact = gram(jacobian, objectives_);
  const double size = exact.norm();
  if (size == 0) return std::nullopt;
  const Square found = as_matrix(gramian.values(), objectives_);
  const double scale = found.squaredNorm() > 0 ? found.cwiseProduct(exact).sum() / found.squaredNorm() : 0;
  return GramianError{(exact - found).norm() / size, (exact - scale * found).norm() / size};
}

Record GramianServer::mean_sketch(const Round& round, const CohortMean& mean) const {
  // What a sketch holds beside sums is the same for all, and so also in that of any other jacobian.
  Record sketch = compressor_->compress(std::vector<float>(objectives_ * dimension_), objectives_, round.random(kSketchStream));
  for (const auto& [name, values] : mean.figures) {
    Array& array = sketch.arrays.at(name);
    if (array.type() == Array::Type::kFloat64) {
      array = Array(std::span<const double>(values), array.shape());
    } else {
      const std::vector<float> floats(values.begin(), values.end());
      array = Array(std::span<const float>(floats), array.shape());
    }
  }
  return sketch;
}

GramianEstimate GramianServer::estimate_of_sums(Round& round, const Cohort& cohort, const Parameters& theta) const {
  Request request = Request("sketch_jacobian").with(theta);
  request.extra.scalars.emplace(kOneStream, 1);
  const CohortMean sketches = round.sum(
      cohort, request,
      {.losses = objectives_, .figures = compressor_->summable(objectives_, dimension_), .parts = objectives_, .loss_use = loss_use_});
  GramianEstimate estimate{Gramian(objectives_), sketches.losses, sketches.cohort, {}, {}};
  const Record sketch = mean_sketch(round, sketches);
  const auto n = static_cast<double>(sketches.cohort.size());
  if (compressor_->protocol() == GramianProtocol::kOwnGramians) {
    estimate.gramian = nearest_positive_semidefinite(as_matrix(sketch.array("gramian").doubles(), objectives_) / n);
    return estimate;
  }
  std::vector<float> mean(objectives_ * dimension_);
  compressor_->reconstruct(sketch, objectives_, mean);
  Square total = gram(mean, objectives_);
  if (compressor_->protocol() == GramianProtocol::kTwoWay) {
    std::vector<float> sum(mean);
    for (float& x : sum) x *= static_cast<float>(n);
    Request correction("correct_gramian");
    correction.extra = compressor_->compress(sum, objectives_, round.random("sketch of the sum"));
    correction.extra.scalars.emplace(kCorrectionAlone, 1);
    const std::size_t entries = objectives_ * objectives_;
    const CohortMean corrections = round.sum(sketches.cohort, correction, {.figures = {{kCorrection, entries}}});
    estimate.cohort = corrections.cohort;
    if (corrections.cohort.size() == sketches.cohort.size()) total += as_matrix(corrections.figures.at(kCorrection), objectives_) / n;
  }
  estimate.gramian = without_noise(nearest_positive_semidefinite(total), sketches.figure_noise, noise_energy(round, sketches));
  if (measure_error_) estimate.error = error_of_sums(round, estimate);
  return estimate;
}

double GramianServer::noise_energy(const Round& round, const CohortMean& sketches) const {
  if (sketches.figure_noise == 0) return 0;
  CohortMean noise;
  Random random = round.random("energy of the noise of sketches");
  for (const auto& [name, values] : sketches.figures) {
    for (std::size_t i = 0; i < values.size(); ++i) noise.figures[name].push_back(random.normal());
  }
  std::vector<float> rows(objectives_ * dimension_);
  compressor_->reconstruct(mean_sketch(round, noise), objectives_, rows);
  return gramian_of_rows(rows, objectives_).trace() / static_cast<double>(objectives_);
}

std::optional<GramianError> GramianServer::error_of_sums(Round& round, const GramianEstimate& estimate) const {
  const Round::Measurement apart(round);
  try {
    const CohortMean jacobian = round.sum(estimate.cohort, Request("send_jacobian"), {.figures = {{"jacobian", objectives_ * dimension_}}});
    if (jacobian.cohort.size() != estimate.cohort.size()) return std::nullopt;
    const std::vector<double>& rows = jacobian.figures.at("jacobian");
    return relative_error(estimate.gramian, std::vector<float>(rows.begin(), rows.end()));
  } catch (const RoundAbandoned&) {
    return std::nullopt;  // the round itself can go on
  }
}

void GramianClient::expect_sketch(std::string_view verb, std::uint32_t round) const {
  expect(sketched_ && round_ == round, "{}: expected a sketch earlier in round {}, found none", verb, round);
}

SampledJacobian GramianClient::sample(const GradientOracle& oracle, std::span<const float> theta) const {
  return sample_jacobian(oracle, theta, sampling_.shared_minibatch, draws(stream_, "jacobian"));
}

Random GramianClient::draws(StreamId stream, const char* purpose) const {
  const Random whole(stream, purpose);
  return sample_ == 0 ? whole : whole.substream(kSample, static_cast<std::uint64_t>(sample_));
}

std::vector<float> GramianClient::part(const GradientOracle& oracle) const {
  const Range range = gramian_part(*oracle.layout(), sampling_.with_heads);
  if (sampling_.recompute) return columns(sample(oracle, theta_).rows, oracle.num_objectives(), range);
  return columns(jacobian_.rows, oracle.num_objectives(), range);
}

Reply GramianClient::sketch(const GradientOracle& oracle, const Request& request, StreamId stream) {
  end_round();
  round_ = request.round;
  stream_ = stream;
  sample_ = request.extra.scalars.contains(kSample) ? static_cast<int>(request.extra.scalar(kSample)) : 0;
  const auto theta = request.theta(oracle.layout()->size());
  Reply reply;
  reply.num_samples = oracle.num_samples();
  std::vector<float> part;
  {
    SampledJacobian sampled = sample(oracle, theta);
    expect(all_finite(sampled.losses) && all_finite(sampled.rows),
           "sketch_jacobian: expected finite losses and gradients, found a number that is not finite");
    reply.losses = sampling_.local_losses ? oracle.local_losses(theta) : sampled.losses;
    expect(all_finite(reply.losses),
           "sketch_jacobian: expected finite losses on all of the client's data, found a number that is not finite");
    part = columns(sampled.rows, oracle.num_objectives(), gramian_part(*oracle.layout(), sampling_.with_heads));
    if (sampling_.recompute) {
      theta_.assign(theta.begin(), theta.end());
    } else {
      jacobian_ = std::move(sampled);
    }
  }
  if (request.extra.scalars.contains(kOneStream)) stream.client = kServerStream;
  sketch_ = compressor_->compress(part, oracle.num_objectives(), draws(stream, kSketchStream));
  sketched_ = true;
  reply.extra = sketch_;
  return reply;
}

Reply GramianClient::correct(const GradientOracle& oracle, const Request& request) {
  expect_sketch("correct_gramian", request.round);
  const std::size_t objectives = oracle.num_objectives();
  const std::vector<float> exact = part(oracle);
  std::vector<float> residual(exact.size());  // H_i, then R_i
  compressor_->reconstruct(sketch_, objectives, residual);
  const bool alone = request.extra.scalars.contains(kCorrectionAlone);
  const Square own = alone ? gram(residual, objectives) : zero(objectives);
  std::vector<float> others(exact.size());
  compressor_->reconstruct(request.extra, objectives, others);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    others[i] -= residual[i];
    residual[i] = exact[i] - residual[i];
  }
  const auto m = static_cast<std::int64_t>(objectives);
  Reply reply;
  reply.num_samples = oracle.num_samples();
  const std::vector<double> products = cross_products(residual, others, objectives);
  if (alone) {
    const Square cross = as_matrix(products, objectives);
    reply.extra.arrays.emplace(kCorrection, square_array(gram(exact, objectives) - own + cross + cross.transpose()));
    return reply;
  }
  reply.extra.arrays.emplace("gramian", square_array(gram(exact, objectives)));
  reply.extra.arrays.emplace("residual", Array(std::span<const double>(products), {m, m}));
  return reply;
}

Reply GramianClient::send(const GradientOracle& oracle, const Request& request) const {
  expect_sketch("send_jacobian", request.round);
  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.extra.arrays.emplace("jacobian", Array(std::span<const float>(part(oracle))));
  return reply;
}

SampledJacobian GramianClient::take(const GradientOracle& oracle, std::uint32_t round) {
  expect_sketch("train", round);
  SampledJacobian jacobian = sampling_.recompute ? sample(oracle, theta_) : std::move(jacobian_);
  end_round();
  return jacobian;
}

void GramianClient::end_round() noexcept {
  theta_ = {};
  jacobian_ = {};
  sketch_ = {};
  sketched_ = false;
}

}  // namespace paretofl
