#include "paretofl/workloads/tabular_mdp.h"

#include <array>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/symmetric_eigen.h"
#include "paretofl/parties/number_file.h"
#include "paretofl/tabular/transition_source.h"
#include "paretofl/workloads/stationarity.h"

namespace paretofl {
namespace {

/// A process's tables: transitions [S, A, S] and rewards [S, A, M].
struct Tables {
  std::vector<double> transitions;
  std::vector<double> rewards;
};

Tables draw_tables(const TabularMdpOptions& options, Random random) {
  const auto states = static_cast<std::size_t>(options.states);
  const auto pairs = static_cast<std::size_t>(options.states * options.actions);
  Tables tables;
  const std::vector<double> concentration(states, 0.3);  // a few likely next states
  for (std::size_t i = 0; i < pairs; ++i) {
    for (const double p : random.dirichlet(concentration)) {
      tables.transitions.push_back((1 - options.mixing) * p + options.mixing / static_cast<double>(states));
    }
  }
  const auto objectives = static_cast<std::size_t>(options.objectives);
  for (std::size_t i = 0; i < pairs * objectives; ++i) tables.rewards.push_back(random.uniform());
  if (options.reward_correlation == 0) return tables;
  const double rho = options.reward_correlation;
  const double share = rho / (rho + std::sqrt(1 - rho * rho));
  for (std::size_t i = 0; i < pairs * objectives; ++i) {
    const double first = tables.rewards[i - i % objectives];
    if (i % objectives > 0) tables.rewards[i] = share * first + (1 - share) * tables.rewards[i];
  }
  return tables;
}

std::vector<double> mixed(const std::vector<double>& common, const std::vector<double>& own, double share) {
  std::vector<double> result;
  for (std::size_t i = 0; i < common.size(); ++i) result.push_back((1 - share) * common[i] + share * own[i]);
  return result;
}

std::vector<double> draw_features(const TabularMdpOptions& options, Random random) {
  const auto states = static_cast<std::size_t>(options.states);
  const auto size = static_cast<std::size_t>(options.features == 0 ? options.states : options.features);
  std::vector<double> features(states * size);
  for (std::size_t s = 0; s < states; ++s) {
    if (options.features == 0) {
      features[s * size + s] = 1;
      continue;
    }
    const auto row = std::span(features).subspan(s * size, size);
    double square = 0;
    for (double& x : row) {
      x = random.normal();
      square += x * x;
    }
    for (double& x : row) x /= std::sqrt(square);
  }
  return features;
}

/// The smallest eigenvalue of sum_s phi(s) phi(s)^T.
double smallest_eigenvalue(const std::vector<double>& features, std::int64_t states) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> phi(features.data(), states, static_cast<Eigen::Index>(features.size()) / states);
  const Matrix gram = phi.transpose() * phi;
  return SymmetricEigen(gram).values[0];
}

constexpr const char* kProcessFile = "process.json";

/// What process.json holds, of the numbers given.
std::array<NumberArray, 2> process_arrays(const TabularMdpOptions& options, std::span<const double> transitions,
                                          std::span<const double> rewards) {
  const auto states = static_cast<std::size_t>(options.states);
  const auto actions = static_cast<std::size_t>(options.actions);
  return {{{"transitions", {states, actions, states}, {transitions.begin(), transitions.end()}},
           {"rewards", {states, actions, static_cast<std::size_t>(options.objectives)}, {rewards.begin(), rewards.end()}}}};
}

class TabularOracle : public GradientOracle {
 public:
  TabularOracle(const TabularModel& model, std::int64_t batch_size, std::shared_ptr<const Layout> layout)
      : model_(model), batch_size_(batch_size), layout_(std::move(layout)) {}

  double num_samples() const override { return 1; }
  std::size_t num_objectives() const override { return model_.objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    const std::vector<double> policy = model_.softmax_policy(theta);
    TransitionSource source(model_, policy, 0, 0, model_.visitation(policy));
    Random random = draw.stream.substream("transitions", static_cast<std::uint64_t>(draw.step));
    td_policy_gradient(model_, policy, model_.values(policy), batch_size_, source, random, losses, jacobian);
  }

  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    std::vector<float> rows(losses.size() * theta.size());
    jacobian(theta, draw, losses, rows);
    const std::vector<float> combined = weighted_rows(rows, objective_weights);
    std::copy(combined.begin(), combined.end(), gradient.begin());
  }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    std::vector<double> losses(num_objectives());
    std::vector<float> rows(losses.size() * theta.size());
    jacobian(theta, draw, losses, rows);
    const auto row = std::span(rows).subspan(objective * theta.size(), theta.size());
    std::copy(row.begin(), row.end(), gradient.begin());
    return losses[objective];
  }

 private:
  const TabularModel& model_;
  std::int64_t batch_size_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace

void TabularMdpOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("states", states, 1, 1000, "number of states (S)");
  visit.integer("actions", actions, 1, 1000, "number of actions (A)");
  visit.integer("objectives", objectives, 1, 1000, "number of objectives (M)");
  visit.real("discount", discount, 0, 0.9999, "discount of a later reward (gamma)");
  visit.real("mixing", mixing, 1e-6, 1, "probability of a jump to any state, which makes every policy's chain ergodic");
  visit.real("heterogeneity", heterogeneity, 0, 1, "share of a client's own in its transitions and rewards");
  visit.real("reward_correlation", reward_correlation, 0, 1,
             "correlation of every later objective's rewards with the first one's; towards 1 the objectives' gradients become parallel");
  visit.integer("features", features, 0, 1000, "random features of the critic, at most one per state; 0: one-hot");
  actor_critic.describe(visit);
}

TabularMdp::TabularMdp(const TabularMdpOptions& options, std::uint64_t seed, std::optional<ProblemPart> part)
    : Workload(std::move(part)),
      options_(options),
      seed_(seed),
      layout_(flat_layout("logits", static_cast<std::size_t>(options.states * options.actions))) {
  expect(options.features <= options.states, "config: expected workload.features of at most {} states, found {}", options.states,
         options.features);
  for (std::int64_t k = 0; k < options.objectives; ++k) names_.push_back(fmt::format("objective{}", k));
  if (this->part()) {
    read_model();
  } else {
    const auto tables_of = [&](std::uint32_t stream) { return draw_tables(options, Random({seed, 0, stream}, "tabular mdp")); };
    const Tables common = tables_of(kServerStream);
    if (options.heterogeneity == 0) add_model(common.transitions, common.rewards);
    for (std::uint32_t client = 0; options.heterogeneity > 0 && client < static_cast<std::uint32_t>(options.clients); ++client) {
      const Tables own = tables_of(client);
      add_model(mixed(common.transitions, own.transitions, options.heterogeneity),
                mixed(common.rewards, own.rewards, options.heterogeneity));
    }
  }
  features_ = draw_features(options, Random({seed, 0, kServerStream}, "features"));
  const double contraction = (1 - options.discount) * options.mixing / static_cast<double>(options.states);
  critic_radius_ = 2 / (contraction * smallest_eigenvalue(features_, options.states));
}

void TabularMdp::add_model(std::vector<double> transitions, std::vector<double> rewards) {
  models_.emplace_back(static_cast<std::size_t>(options_.states), static_cast<std::size_t>(options_.actions), options_.discount,
                       std::move(transitions), std::move(rewards));
}

void TabularMdp::read_model() {
  if (part()->is_server() && options_.heterogeneity > 0) return;
  const std::filesystem::path file = part()->file(kProcessFile);
  std::vector<std::vector<double>> arrays = read_numbers(file, process_arrays(options_, {}, {}));
  try {
    add_model(std::move(arrays[0]), std::move(arrays[1]));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

void TabularMdp::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  if (!client && options_.heterogeneity > 0) return;
  const TabularModel& process = client ? model(*client) : models_.front();
  write_numbers(folder / kProcessFile, process_arrays(options_, process.transitions(), process.rewards()));
}

Parameters TabularMdp::initial_parameters() const {
  Parameters parameters(layout_);
  Random random({seed_, 0, kServerStream}, "initial parameters");
  for (float& x : parameters.values()) x = static_cast<float>(random.normal());
  return parameters;
}

const TabularModel& TabularMdp::model(int client) const {
  expect_client(client);
  return models_.size() == 1 ? models_[0] : models_[static_cast<std::size_t>(client)];
}

std::unique_ptr<GradientOracle> TabularMdp::oracle(int client) const {
  return std::make_unique<TabularOracle>(model(client), options_.actor_critic.batch_size, layout_);
}

std::unique_ptr<ObjectiveSteps> TabularMdp::objective_steps(int client, const LocalTrainingOptions&) const {
  return std::make_unique<TabularActorCritic>(options_.actor_critic, model(client), features_, critic_radius_, layout_);
}

std::optional<NetworkGraph> TabularMdp::network() const {
  NetworkGraph graph;
  const std::string state = graph.input({"state", {}, true});
  const std::string table = graph.add("Reshape", {"logits", graph.integers({options_.states, options_.actions})});
  const std::string logits = graph.add("Gather", {table, state});
  graph.output(graph.add("Softmax", {logits}), {"policy", {options_.actions}});
  return graph;
}

Evaluation TabularMdp::evaluate(std::span<const float> theta, Split, ThreadPool&) const {
  expect(!models_.empty(), "tabular_mdp: expected the processes of all clients to evaluate, found the server's part");
  const auto objectives = num_objectives();
  Evaluation result;
  std::vector<double>& returns = result.per_objective["return"];
  returns.resize(objectives);
  std::vector<float> jacobian(objectives * layout_->size());
  const double share = 1 / static_cast<double>(models_.size());
  for (const TabularModel& model : models_) {
    const std::vector<double> policy = model.softmax_policy(theta);
    const std::vector<double> own = model.returns(policy);
    for (std::size_t k = 0; k < objectives; ++k) returns[k] += share * own[k];
    const std::vector<double> gradients = model.return_gradients(policy);
    for (std::size_t i = 0; i < jacobian.size(); ++i) jacobian[i] += static_cast<float>(share * gradients[i]);
  }
  add_stationarity(jacobian, objectives, result);
  return result;
}

HeldOutFigures TabularMdp::evaluate_held_out(int client, std::span<const float> theta, ThreadPool&) const {
  const TabularModel& own = model(client);
  HeldOutFigures figures;
  figures.add_means("return", own.returns(own.softmax_policy(theta)), 1);
  return figures;
}

}  // namespace paretofl
