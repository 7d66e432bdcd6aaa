#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/core/round.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// ApproxGramJacobian (FedCMOO, Algorithms 3 and 6): the Gramian of the clients' mean jacobian, from
/// sketches. The two classes are the subroutine's two halves; strategies hold one each.

/// How far an estimate G is from G~, the Gramian of the mean stochastic jacobian (FedCMOO, Table 3), in Frobenius norms.
struct GramianError {
  double nrmse = 0;         ///< ||G - G~|| / ||G~||
  double scaled_nrmse = 0;  ///< min over s of ||s G - G~|| / ||G~||, for solvers that do not look at the Gramian's scale
};

/// The result of the subroutine at the server.
struct GramianEstimate {
  Gramian gramian;                               ///< of the mean jacobian over the clients that answered
  std::vector<double> losses;                    ///< mean minibatch losses [M]
  Cohort cohort;                                 ///< those who answered every exchange
  std::optional<GramianError> error;             ///< where measured
  Exclusions exclusions;                         ///< whose answers could not be used
  std::vector<double> two_sample_products = {};  ///< [M, M], as WeightProblem says; empty if there was one sample
};

/// A cohort's mean jacobian from its sketches.
struct JacobianEstimate {
  std::vector<float> rows;     ///< [M, d'], of the part that forms the Gramian
  std::vector<double> losses;  ///< mean minibatch losses [M]
  Cohort cohort;               ///< those who answered
  Exclusions exclusions;
};

/// Server half. Two-way compressors take a second exchange: the server sends a sketch of the clients'
/// sum h, the clients send H~_i^T H~_i and R_i^T (h - H_i), and
/// G = 1/n^2 (sum_i H~_i^T H~_i + sum_{i != j} H_i^T H_j + 2 sum_i sym(R_i^T (h - H_i))).
/// The paper's third term is not symmetric as written; its symmetric part is used, and G is projected
/// on the positive semidefinite cone, where the true Gramian lies. Where only m of the n clients answer the
/// second exchange, the first two terms are theirs alone; the third, in which h holds all n, is scaled by
/// (m - 1) / (n - 1), as many others as count.
///
/// With another aggregator than the mean, the rebuilt jacobians are combined objective by objective, and h is n times that; the clients'
/// corrections, and the Gramians of compressors that send nothing else, are combined by the coordinate-wise median. Clients whose answers
/// cannot be used leave the estimate.
class GramianServer {
 public:
  GramianServer(std::shared_ptr<const Compressor> compressor, std::size_t objectives, std::size_t dimension, bool measure_error = false,
                const AggregationOptions& aggregation = {}, const LossUse& loss_use = {})
      : compressor_(std::move(compressor)),
        objectives_(objectives),
        dimension_(dimension),
        measure_error_(measure_error),
        loss_use_(loss_use),
        aggregation_(aggregation, ClientWeighting::kUniform) {}

  /// Verbs sent: "sketch_jacobian", then for two-way compressors "correct_gramian". To measure the error, it asks for
  /// the jacobians themselves by "send_jacobian"; if one of the estimate's clients doesn't answer that,
  /// there is no figure.
  GramianEstimate estimate(Round& round, const Cohort& cohort, const Parameters& theta) const;
  /// Whether estimate() works where the round gives sums over the cohort alone: the sketches have to add up (Compressor::summable). A
  /// two-way estimate is then corrected only if nobody falls silent in between, since the terms of those who are left can't be told apart.
  /// With noise, what those sketches of one exchange say is less what the noise adds on average.
  bool works_on_sums() const { return aggregation_.is_mean() && !compressor_->summable(objectives_, dimension_).empty(); }
  /// Whether works_on_sums() where the sums have noise: numbers other than gradients have no bound to clip them to.
  bool works_on_noised_sums() const { return works_on_sums() && compressor_->protocol() == GramianProtocol::kOneWay && !measure_error_; }
  /// From sketches that came otherwise, without any exchange: those of two-way compressors are not corrected.
  GramianEstimate estimate(Replies sketches) const;

  /// The mean jacobian of one of several independent samples, numbered `sample`, each with a cohort of its own: a client that is in two of
  /// them draws a minibatch for each. For one-way compressors, where the round gives single replies.
  JacobianEstimate mean_jacobian(Round& round, const Cohort& cohort, const Parameters& theta, int sample) const;
  /// The products of two independent samples' gradients, and as the Gramian the positive semidefinite matrix nearest to their symmetric
  /// part; losses are the means of both. `cohort` is who goes on in the round.
  static GramianEstimate of_two_samples(const JacobianEstimate& first, const JacobianEstimate& second, Cohort cohort);

 private:
  /// Those below remove sketches that cannot be used.
  Gramian of_mean(Replies& sketches, Exclusions& exclusions) const;
  Gramian sum_of_own(Replies& sketches, Exclusions& exclusions) const;
  Gramian corrected(Round& round, Replies& sketches, Exclusions& exclusions) const;
  std::vector<float> sum_of(Replies& sketches, Exclusions& exclusions, const std::function<void(std::span<const float>)>& each = {}) const;
  GramianEstimate estimate_of_sums(Round& round, const Cohort& cohort, const Parameters& theta) const;
  /// The sketch of the mean jacobian, from the mean of the arrays that add up.
  Record mean_sketch(const Round& round, const CohortMean& mean) const;
  /// What noise of deviation 1 in each number of a mean sketch adds to the square norm of a row, by one draw of it.
  double noise_energy(const Round& round, const CohortMean& sketches) const;
  /// Against the Gramian of the mean jacobian [M, d]; none where that is 0.
  std::optional<GramianError> relative_error(const Gramian& gramian, const std::vector<float>& jacobian) const;
  std::optional<GramianError> error_of_sums(Round& round, const GramianEstimate& estimate) const;
  /// Notes in the estimate whose jacobians cannot be read; there is then no figure.
  std::optional<GramianError> error(Round& round, GramianEstimate& estimate) const;

  std::shared_ptr<const Compressor> compressor_;
  std::size_t objectives_;  ///< M
  std::size_t dimension_;   ///< of the part that forms the Gramian
  bool measure_error_;
  LossUse loss_use_;  ///< by who uses the estimate
  Aggregation aggregation_;
};

/// How a client samples its stochastic jacobian, and what it does with it.
struct JacobianSampling {
  bool shared_minibatch = false;  ///< one minibatch for all objectives instead of one for each
  bool with_heads = false;        ///< the heads take part in the Gramian
  bool local_losses = false;      ///< sends the losses on all of the client's data instead of those of the minibatches
  bool recompute = false;         ///< samples it again, with the same bits, wherever it is needed, instead of keeping [M, d] numbers
};

/// Client half. The stochastic jacobian is kept for the rest of the round, so that the first local step
/// can reuse it.
class GramianClient {
 public:
  GramianClient(std::shared_ptr<const Compressor> compressor, JacobianSampling sampling)
      : compressor_(std::move(compressor)), sampling_(sampling) {}

  /// Answers "sketch_jacobian".
  Reply sketch(const GradientOracle& oracle, const Request& request, StreamId stream);
  /// Answers "correct_gramian"; throws Error if this round had no sketch.
  Reply correct(const GradientOracle& oracle, const Request& request);
  /// Answers "send_jacobian"; likewise.
  Reply send(const GradientOracle& oracle, const Request& request) const;
  /// Hands over the jacobian sampled this round; throws Error if there is none.
  SampledJacobian take(const GradientOracle& oracle, std::uint32_t round);
  /// Drops what was sampled.
  void end_round() noexcept;

 private:
  void expect_sketch(std::string_view verb, std::uint32_t round) const;
  SampledJacobian sample(const GradientOracle& oracle, std::span<const float> theta) const;
  /// Of this round's stream; where the server asks for several samples, of this one.
  Random draws(StreamId stream, const char* purpose) const;
  /// The columns that form the Gramian [M, d'].
  std::vector<float> part(const GradientOracle& oracle) const;

  std::shared_ptr<const Compressor> compressor_;
  JacobianSampling sampling_;
  std::uint32_t round_ = 0;
  StreamId stream_;
  int sample_ = 0;            ///< which of several samples was asked for; 0: the only one
  std::vector<float> theta_;  ///< only within a round, like the sketch; where the jacobian is sampled again
  SampledJacobian jacobian_;  ///< likewise; where it is kept
  Record sketch_;
  bool sketched_ = false;
};

}  // namespace paretofl
