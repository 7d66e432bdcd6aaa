#pragma once

#include <memory>

#include "paretofl/local/objective_steps.h"
#include "paretofl/registry/options.h"
#include "paretofl/tabular/tabular_model.h"

namespace paretofl {

struct TabularActorCriticOptions {
  std::int64_t batch_size = 32;         ///< B of the actor
  std::int64_t critic_iterations = 10;  ///< N
  std::int64_t critic_batch_size = 32;  ///< D
  double critic_lr = 0.5;               ///< alpha'
  std::string sampling = "markov";      ///< or "independent"

  void describe(OptionVisitor& visit);
};

/// A client's actor-critic steps of T-FIRM: the critic of Algorithm 3, then the actor's gradients of eq. 10, with the sign
/// of a loss, the negative return. At each step, N times: D transitions under theta's policy and one step of TD(0) on every
/// objective's w_j with V_j(s) = phi(s)^T w_j, then the projection on the ball of radius R_w. Then B transitions, of which
/// the TD errors are the advantages. w continues from step to step and from round to round.
///
/// The critic's transitions come from the chain of P under the policy, the actor's from the chain that besides, with
/// probability 1 - gamma, starts anew after each step (Xu et al. 2020): its stationary distribution is the discounted
/// visitation, so that eq. 10 estimates the gradient of the return. Algorithm 2 as printed continues one chain of P for both,
/// which estimates no gradient of a discounted return. Both states are kept, as in the algorithm, with sampling "markov";
/// with "independent" every transition starts from the exact stationary distribution and visitation.
///
/// A step's loss is minus the mean reward of the actor's batch, an estimate of minus the return; "reward" [M] is the mean
/// of these rewards over the round.
class TabularActorCritic : public ObjectiveSteps {
 public:
  /// Features [S, d_2] of norm at most 1, which like the model must outlive the steps; `radius` is R_w.
  TabularActorCritic(const TabularActorCriticOptions& options, const TabularModel& model, std::span<const double> features, double radius,
                     std::shared_ptr<const Layout> layout);

  double num_samples() const override { return 1; }
  std::size_t num_objectives() const override { return model_.objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }

  void start_round(StreamId stream) override;
  void jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) override;
  std::map<std::string, std::vector<double>> figures() const override;

  /// "critic": w [M, d_2]; "chains": the states of the critic's and the actor's chain.
  void save(Record& state) const override;
  void load(const Record& state) override;

 private:
  void train_critic(std::span<const double> policy, const Random& stream);
  std::vector<double> values() const;  ///< Phi w, [S, M]

  TabularActorCriticOptions options_;
  const TabularModel& model_;
  std::span<const double> features_;
  double radius_;
  std::shared_ptr<const Layout> layout_;
  std::vector<double> critic_;      ///< w [M, d_2]
  std::int64_t critic_state_ = -1;  ///< of the chain; below 0 before the first step
  std::int64_t actor_state_ = -1;
  StreamId stream_;
  std::vector<double> rewards_;  ///< of the round, summed over its steps [M]
  std::int64_t steps_ = 0;       ///< of the round
};

}  // namespace paretofl
