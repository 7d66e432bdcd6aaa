#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/client_models.h"
#include "paretofl/core/parameters.h"
#include "paretofl/core/texts.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/local/gradient_oracle.h"
#include "paretofl/local/learner.h"
#include "paretofl/local/local_training.h"
#include "paretofl/local/objective_steps.h"
#include "paretofl/local/reward_steps.h"
#include "paretofl/models/network_graph.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/parties/problem_part.h"
#include "paretofl/registry/registry.h"
#include "paretofl/workloads/held_out_figures.h"

namespace paretofl {

enum class Split { kValidation, kTest };

/// Evaluation figures of one model: per objective [M] by metric name ("loss", "accuracy"), figures of
/// the whole, and the Gramian [M, M] of the exact gradients where they are known (else empty).
struct Evaluation {
  std::map<std::string, std::vector<double>> per_objective;
  std::map<std::string, double> overall;
  std::vector<double> gramian;
};

/// A problem to train on: data or environment, objectives, the split over clients, evaluation.
/// Immutable after construction, and safe to share between threads.
///
/// A simulation has the data of all parties. A workload that was made of a part (problem_part.h) has one party's: a client's, which
/// trains as that client and evaluates on its own held-out data where there are any, or the server's, which evaluates. What all parties
/// agree on is the same in all of them to the last bit: clients, objectives, layout and initial parameters.
class Workload {
 public:
  Workload() = default;
  explicit Workload(std::optional<ProblemPart> part) : part_(std::move(part)) {}
  virtual ~Workload() = default;

  /// The part that the workload was made of; empty in a simulation.
  const std::optional<ProblemPart>& part() const { return part_; }
  /// Throws Error unless there is such a client, and where the workload was made of a part, unless that part is the client's. Called by
  /// all that works with the data of one client.
  void expect_client(int client) const;

  /// The clients whose data this process has: all in a simulation, one in a client's part, none in the server's.
  std::vector<int> own_clients() const;

  /// What all parties must agree on beside the settings, and no party could compute from its own data, such as the scales of columns: an
  /// object of JSON, which is public. Default: an empty one.
  virtual nlohmann::json facts() const;
  /// What the workload computed of its data and a trained model depends on, such as the scales of columns: an object of JSON. Checkpoints
  /// keep it, and a workload that is made with it (WorkloadContext::statistics) takes it in the place of what its own data say, so that
  /// other data are evaluated as the model was trained. Default: an empty one.
  virtual nlohmann::json statistics() const;
  /// Programs of the user's own that define the problem, which all parties must have alike too: the SHA-256 of each file by name.
  /// Default: none.
  virtual Texts code() const { return {}; }
  /// Writes what one client has, or with nullopt what the server has, into the folder, which exists: the files from which the registered
  /// workload is made again with a part. Throws Error where the workload can't be split (the default), or a file can't be written.
  virtual void write_part(std::optional<int> client, const std::filesystem::path& folder) const;

  virtual int num_clients() const = 0;
  virtual const std::vector<std::string>& objective_names() const = 0;  ///< M
  virtual const std::shared_ptr<const Layout>& layout() const = 0;

  virtual Parameters initial_parameters() const = 0;

  /// Whether there are gradients of each objective, as most strategies need. Personalized ones only need learners.
  virtual bool has_gradients() const { return true; }
  /// Client `client`'s losses and gradients. The workload must outlive the oracle. Throws Error if there are none.
  virtual std::unique_ptr<GradientOracle> oracle(int client) const = 0;

  /// Whether the clients can tell their losses on all of their data (GradientOracle::local_losses). Default: no.
  virtual bool has_local_losses() const { return false; }

  /// The factors [M] of the client's oracle where clients have some of the objectives only, which is then a PartialOracle; empty where
  /// every client has every objective (the default).
  virtual std::vector<double> objective_factors(int client) const;
  /// Whether client `client` has objective `objective`.
  bool has_objective(int client, std::size_t objective) const;
  std::vector<std::size_t> held_objectives(int client) const;  ///< those that it has, ascending
  bool has_all_objectives() const;
  /// oracle(client) without these factors: what clients need that weigh their objectives by themselves. Of objectives that it has not, the
  /// client's losses and gradients are 0.
  std::unique_ptr<GradientOracle> own_oracle(int client) const;

  /// Whether there are local steps that offer the gradients of each objective. Default: where there are gradients.
  virtual bool has_objective_steps() const { return has_gradients(); }
  /// Client `client`'s local steps, for strategies that set lambda at each of them. The workload must outlive them. Throws
  /// Error where there are none. Default: the minibatches of oracle(client).
  virtual std::unique_ptr<ObjectiveSteps> objective_steps(int client, const LocalTrainingOptions& options) const;

  /// Whether clients train on named rewards, for strategies that set the weights of these. Default: where there are gradients.
  virtual bool has_reward_steps() const { return has_gradients(); }
  /// Client `client`'s local steps on its rewards, which may be its own. The workload must outlive them. Throws Error where
  /// there are none. Default: minus the losses of oracle(client).
  virtual std::unique_ptr<RewardSteps> reward_steps(int client) const;

  /// The private preference of a client. Only its learner and the evaluation may call this. Default: the shared one.
  virtual Preference preference(int client) const;
  /// A preference that is no secret, since it follows from the settings; nullopt where clients have preferences of their own. Default:
  /// uniform.
  virtual std::optional<Preference> shared_preference(int client) const;

  /// How client `client` trains on its own under its preference. The workload must outlive the learner. Default: steps
  /// of gradient descent on the scalarized losses of oracle(client).
  virtual std::unique_ptr<Learner> learner(int client, const LocalTrainingOptions& options) const;

  /// The local step of a client, counted from 1 over all rounds, with which its learner begins to change the model. Default: the first.
  virtual std::int64_t first_learning_step() const { return 1; }

  /// Whether the seed makes another problem: other objectives, or other data to train or test on. Points that runs with
  /// different seeds reach then belong to different Pareto fronts. Default: yes.
  virtual bool seed_changes_problem() const { return true; }
  /// Whether the objectives' figures of this metric are in one unit, so that their mean has a meaning. Default: as
  /// has_shared_unit() says by the metric's name.
  virtual bool shares_unit(const std::string& metric) const;

  /// Where a model takes a preference as an input, those at which a run evaluates one model for all clients, as points of a Pareto front,
  /// by evaluate_at. Default: none.
  virtual std::vector<Preference> front_preferences() const { return {}; }
  /// As evaluate, of what the model theta [d] does under the preference. Throws Error where models take none (the default).
  virtual Evaluation evaluate_at(std::span<const float> theta, const Preference& preference, Split split, ThreadPool& pool) const;

  virtual bool has_split(Split split) const = 0;
  /// Evaluates theta [d] on a split it has, spread over the pool; the result does not depend on the
  /// number of threads.
  virtual Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const = 0;

  /// Evaluates theta [d] as the model of one client. Default: evaluate().
  virtual Evaluation evaluate_client(int client, std::span<const float> theta, Split split, ThreadPool& pool) const;

  /// Evaluates every client's own model on a split the workload has: one evaluation per client, each with the figure
  /// of what the client wants under "overall". Default: evaluate_client() of each model, and its preferred_metric() scalarized by the
  /// client's preference, such as "scalarized_loss". The server's part has that figure of shared preferences alone.
  virtual std::vector<Evaluation> evaluate_clients(const ClientModels& models, Split split, ThreadPool& pool) const;
  /// Figures of theta [d] on what client `client` holds out itself, for the server to gather (federated_evaluation.h). None that a private
  /// preference weighs, which would give the preference away. In a simulation and in the client's part the same to the last bit. Empty,
  /// the default: it holds nothing out.
  virtual HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const;

  /// Whether the settings ask to log what language models of clients write when they train. Default: no.
  virtual bool logs_completions() const { return false; }
  /// What clients in this process have written in round `round` and the settings ask to log, as lines of JSON in the order of the clients.
  /// Forgets it. Nothing of it changes the training. Default: empty.
  virtual std::string take_completions(std::uint32_t round) const;

  /// The metric per objective that preferences weigh.
  virtual std::string preferred_metric() const { return "loss"; }

  /// Test figures [M], by metric name, of the best prediction that looks at no input: what a model must beat to have
  /// learned anything. Empty where the workload has no such thing.
  virtual std::map<std::string, std::vector<double>> constant_predictor() const { return {}; }

  /// Settings because of which the model, or the files beside it, tell exact statistics of the clients' training data, such as means by
  /// which features are scaled. Default: none do.
  virtual std::vector<std::string> exact_statistics() const { return {}; }

  /// What a trained model computes, for other programs; its nodes name slices of layout(). Default: none.
  virtual std::optional<NetworkGraph> network() const { return std::nullopt; }

  /// Writes a trained model [d] into `folder`, which it makes, in files that other programs read. Default: none.
  virtual void write_model(std::span<const float> theta, const std::filesystem::path& folder) const;

  std::size_t num_objectives() const { return objective_names().size(); }

 private:
  std::optional<ProblemPart> part_;
};

/// What a workload is built from beside its own settings.
struct WorkloadContext {
  std::uint64_t seed = 0;
  std::filesystem::path data_root;
  std::optional<ProblemPart> part = {};                   ///< where there is one, all data come from its folder and none from data_root
  std::shared_ptr<const nlohmann::json> statistics = {};  ///< of the data that a model was trained with, where data_root has others
};

using WorkloadFactory = std::unique_ptr<Workload>(const Settings&, const WorkloadContext&);

/// Every workload by name.
Registry<WorkloadFactory>& workloads();

}  // namespace paretofl
