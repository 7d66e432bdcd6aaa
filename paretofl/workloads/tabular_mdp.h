#pragma once

#include "paretofl/tabular/tabular_actor_critic.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct TabularMdpOptions {
  std::int64_t clients = 8;
  std::int64_t states = 10;       ///< S
  std::int64_t actions = 4;       ///< A
  std::int64_t objectives = 2;    ///< M
  double discount = 0.9;          ///< gamma
  double mixing = 0.1;            ///< probability of a jump to a uniformly drawn state
  double heterogeneity = 0;       ///< share of a client's own in its transitions and rewards
  double reward_correlation = 0;  ///< of every later objective's rewards with the first one's
  std::int64_t features = 0;      ///< d_2 of the critic; 0: one per state
  TabularActorCriticOptions actor_critic;

  void describe(OptionVisitor& visit);
};

/// FIRM's setting for theory (section 4): a random multi-objective Markov decision process with everything known. Next
/// states are drawn from a symmetric Dirichlet distribution per state and action, mixed with the uniform one, so that every
/// policy's chain is ergodic; rewards are uniform in [0, 1], so that r_max = 1. With reward_correlation rho > 0 those of objectives
/// k > 0 are s r_0 + (1 - s) r_k, where s = rho / (rho + sqrt(1 - rho^2)) makes rho their correlation with r_0: towards 1 the gradients
/// become parallel, where many weights give nearly the smallest norm. Client c's process is
/// (1 - h) times the common one plus h times its own. Theta [S, A] are the logits of a softmax policy, whose score has a
/// norm of at most sqrt(2).
///
/// Objectives are the clients' mean returns J, the mean discounted reward per step (tabular_model.h): (1 - gamma) times the
/// discounted sum, and so the scale of eq. 10. Losses are minus returns. The critic's features are one-hot, of which
/// no value function is out of reach (zeta_approx = 0), or random directions of norm 1, shared by all clients. The projection's
/// radius R_w = 2 r_max / lambda_A has the bound lambda_A >= (1 - gamma) mixing / S lambda_min(sum_s phi(s) phi(s)^T), which holds
/// for every policy.
class TabularMdp : public Workload {
 public:
  /// Throws Error if there are more features than states. With a part, the client's process comes from the folder.
  TabularMdp(const TabularMdpOptions& options, std::uint64_t seed, std::optional<ProblemPart> part = {});

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  /// Independent transitions, as TabularActorCritic's, with the exact values instead of the critic's.
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  /// TabularActorCritic steps.
  std::unique_ptr<ObjectiveSteps> objective_steps(int client, const LocalTrainingOptions& options) const override;
  /// process.json: "transitions" [S, A, S] and "rewards" [S, A, M] of the client's process; the server has it where it is common to all.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  /// Not of the server's part where clients have processes of their own. A client's part evaluates on its own process.
  bool has_split(Split split) const override { return split == Split::kTest && !models_.empty(); }
  /// "return": J(theta) [M]; overall "stationarity": min over the simplex of ||sum_k lambda_k grad J_k||^2; and the exact
  /// gradients' Gramian.
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "return" of the client's own process, which counts as one sample.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;
  std::string preferred_metric() const override { return "return"; }
  /// From "state" to "policy", the probabilities [A] of the actions.
  std::optional<NetworkGraph> network() const override;

  const TabularModel& model(int client) const;
  std::span<const double> features() const { return features_; }  ///< [S, d_2]
  double critic_radius() const { return critic_radius_; }         ///< R_w

 private:
  void add_model(std::vector<double> transitions, std::vector<double> rewards);
  /// Of the process.json of a part.
  void read_model();

  TabularMdpOptions options_;
  std::uint64_t seed_;
  std::vector<std::string> names_;
  std::shared_ptr<const Layout> layout_;
  std::vector<TabularModel> models_;  ///< of every client, or one for all; of a part the party's, if any
  std::vector<double> features_;
  double critic_radius_ = 0;
};

}  // namespace paretofl
