#include "paretofl/strategies/gramian_exchange.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "paretofl/aggregators/mean.h"
#include "paretofl/core/error.h"
#include "paretofl/solvers/cross_products.h"

namespace paretofl {
namespace {

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

Gramian nearest_positive_semidefinite(const Square& matrix) {
  const Eigen::SelfAdjointEigenSolver<Square> eigen(0.5 * (matrix + matrix.transpose()));
  const Square clipped = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
  const Square symmetric = 0.5 * (clipped + clipped.transpose());
  return Gramian(static_cast<std::size_t>(symmetric.rows()), {symmetric.data(), symmetric.data() + symmetric.size()});
}

Array square_array(const Square& matrix) {
  return Array(std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size())), {matrix.rows(), matrix.cols()});
}

}  // namespace

GramianEstimate GramianServer::estimate(Round& round, const Cohort& cohort, std::span<const float> theta) const {
  Replies sketches = round.broadcast(cohort, Request("sketch_jacobian").with(theta));
  GramianEstimate estimate{Gramian(objectives_), mean_losses(sketches, objectives_), sketches.cohort(), {}};
  switch (compressor_->protocol()) {
    case GramianProtocol::kOneWay:
      estimate.gramian = of_mean(sketches);
      break;
    case GramianProtocol::kTwoWay:
      estimate = corrected(round, std::move(sketches));
      break;
    case GramianProtocol::kOwnGramians:
      estimate.gramian = sum_of_own(sketches);
      break;
  }
  if (measure_error_) estimate.nrmse = error(round, estimate);
  return estimate;
}

Gramian GramianServer::of_mean(const Replies& sketches) const {
  std::vector<float> row_buffer(objectives_ * dimension_);
  std::vector<float> sum(row_buffer.size());
  for (const Reply& reply : sketches) {
    compressor_->reconstruct(reply.extra, objectives_, row_buffer);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row_buffer[i];
  }
  const auto n = static_cast<double>(sketches.size());
  return nearest_positive_semidefinite(gram(sum, objectives_) / (n * n));
}

Gramian GramianServer::sum_of_own(const Replies& sketches) const {
  Square total = zero(objectives_);
  for (const Reply& reply : sketches) {
    total += as_matrix(double_array(reply.extra, "gramian", objectives_ * objectives_), objectives_);
  }
  const auto n = static_cast<double>(sketches.size());
  return nearest_positive_semidefinite(total / (n * n));
}

GramianEstimate GramianServer::corrected(Round& round, Replies sketches) const {
  const std::size_t entries = objectives_ * dimension_;
  std::vector<float> row_buffer(entries);
  std::vector<float> sum(entries);
  std::vector<Square> own_grams;  // H_i^T H_i of every reconstruction
  for (const Reply& reply : sketches) {
    compressor_->reconstruct(reply.extra, objectives_, row_buffer);
    for (std::size_t i = 0; i < entries; ++i) sum[i] += row_buffer[i];
    own_grams.push_back(gram(row_buffer, objectives_));
  }
  Request correction("correct_gramian");
  correction.extra = compressor_->compress(sum, objectives_, round.random("sketch of the sum"));
  const Replies corrections = round.broadcast(sketches.cohort(), correction);

  // Clients that fell silent in between leave the estimate.
  Square total = zero(objectives_);
  auto answered = corrections.begin();
  Replies remaining{{}, sketches.sampled};
  for (std::size_t i = 0; i < sketches.size(); ++i) {
    Reply& sketch = sketches.replies[i];
    if (answered == corrections.end() || answered->client != sketch.client) {
      compressor_->reconstruct(sketch.extra, objectives_, row_buffer);
      for (std::size_t j = 0; j < entries; ++j) sum[j] -= row_buffer[j];
      continue;
    }
    const Square exact = as_matrix(double_array(answered->extra, "gramian", objectives_ * objectives_), objectives_);
    const Square cross = as_matrix(double_array(answered->extra, "residual", objectives_ * objectives_), objectives_);
    total += exact - own_grams[i] + cross + cross.transpose();
    remaining.replies.push_back(std::move(sketch));
    ++answered;
  }
  total += gram(sum, objectives_);
  const auto n = static_cast<double>(remaining.size());
  return {nearest_positive_semidefinite(total / (n * n)), mean_losses(remaining, objectives_), remaining.cohort(), {}};
}

std::optional<double> GramianServer::error(Round& round, const GramianEstimate& estimate) const {
  const Replies replies = round.broadcast(estimate.cohort, Request("send_jacobian"));
  if (replies.size() != estimate.cohort.size()) return std::nullopt;
  std::vector<float> mean(objectives_ * dimension_);
  for (const Reply& reply : replies) {
    const auto rows = float_array(reply.extra, "jacobian", mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += rows[i] / static_cast<float>(replies.size());
  }
  const Square exact = gram(mean, objectives_);
  if (exact.norm() == 0) return std::nullopt;
  return (exact - as_matrix(estimate.gramian.values(), objectives_)).norm() / exact.norm();
}

Reply GramianClient::sketch(const GradientOracle& oracle, const Request& request, StreamId stream) {
  const auto theta = request.theta(oracle.layout()->size());
  jacobian_ = sample_jacobian(oracle, theta, shared_minibatch_, Random(stream, "jacobian"));
  round_ = request.round;
  const std::vector<float> part = columns(jacobian_.rows, oracle.num_objectives(), gramian_part(*oracle.layout(), with_heads_));
  sketch_ = compressor_->compress(part, oracle.num_objectives(), Random(stream, "sketch"));
  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.losses = jacobian_.losses;
  reply.extra = sketch_;
  return reply;
}

Reply GramianClient::correct(const GradientOracle& oracle, const Request& request) {
  expect(round_ == request.round && !jacobian_.rows.empty(), "correct_gramian: expected a sketch earlier in round {}, found none",
         request.round);
  const std::size_t objectives = oracle.num_objectives();
  const std::vector<float> exact = columns(jacobian_.rows, objectives, gramian_part(*oracle.layout(), with_heads_));
  std::vector<float> residual(exact.size());  // H_i, then R_i
  compressor_->reconstruct(sketch_, objectives, residual);
  std::vector<float> others(exact.size());
  compressor_->reconstruct(request.extra, objectives, others);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    others[i] -= residual[i];
    residual[i] = exact[i] - residual[i];
  }
  const auto m = static_cast<std::int64_t>(objectives);
  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.extra.arrays.emplace("gramian", square_array(gram(exact, objectives)));
  reply.extra.arrays.emplace("residual", Array(std::span<const double>(cross_products(residual, others, objectives)), {m, m}));
  return reply;
}

Reply GramianClient::send(const GradientOracle& oracle, const Request& request) const {
  expect(round_ == request.round && !jacobian_.rows.empty(), "send_jacobian: expected a sketch earlier in round {}, found none",
         request.round);
  const std::vector<float> part = columns(jacobian_.rows, oracle.num_objectives(), gramian_part(*oracle.layout(), with_heads_));
  Reply reply;
  reply.num_samples = oracle.num_samples();
  reply.extra.arrays.emplace("jacobian", Array(std::span<const float>(part)));
  return reply;
}

SampledJacobian GramianClient::take(std::uint32_t round) {
  expect(round_ == round && !jacobian_.rows.empty(), "train: expected a sketch earlier in round {}, found none", round);
  sketch_ = {};
  return std::exchange(jacobian_, {});
}

}  // namespace paretofl
