#include "paretofl/workloads/quadratics.h"

#include "paretofl/core/error.h"
#include "paretofl/workloads/stationarity.h"

namespace paretofl {

void QuadraticsOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("objectives", objectives, 1, 1000, "number of objectives (M)");
  visit.integer("dimension", dimension, 1, kMaxInt, "number of parameters (d)");
  visit.real("condition", condition, 1, 1e12, "ratio of the largest to the smallest curvature");
  visit.real("heterogeneity", heterogeneity, 0, kInfinity, "spread of the clients' minimizers around the global ones");
  visit.real("gradient_noise", gradient_noise, 0, kInfinity, "standard deviation of the noise on each gradient entry");
  visit.real("robustness", robustness, 0, 1e12, "r; a loss is log(1 + r q) / r, where q is the quadratic; 0: the loss is q itself");
  describe_client_preferences(visit, preferences);
}

namespace {

constexpr const char* kMinimizersFile = "minimizers.json";

}  // namespace

Quadratics::Quadratics(const QuadraticsOptions& options, std::uint64_t seed, std::optional<ProblemPart> part)
    : Workload(std::move(part)),
      options_(options),
      seed_(seed),
      preferences_(options.preferences, static_cast<std::size_t>(options.objectives), static_cast<int>(options.clients), seed,
                   this->part()),
      layout_(flat_layout("x", static_cast<std::size_t>(options.dimension))) {
  for (std::int64_t k = 0; k < options.objectives; ++k) names_.push_back(fmt::format("objective{}", k));
  Random random({seed, 0, kServerStream}, "quadratics");
  const auto count = static_cast<std::size_t>(options.objectives * options.dimension);
  curvature_.reserve(count);
  minimizer_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    curvature_.push_back(std::pow(options.condition, -random.uniform()));
    minimizer_.push_back(random.normal());
  }
  if (this->part() && !this->part()->is_server()) {
    const NumberArray shape = minimizers_array({});
    own_ = std::move(read_numbers(this->part()->file(kMinimizersFile), {&shape, 1}).front());
  }
}

NumberArray Quadratics::minimizers_array(std::vector<double> values) const {
  return {.name = "minimizers", .shape = {names_.size(), layout_->size()}, .values = std::move(values)};
}

void Quadratics::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  preferences_.write_part(client, folder);
  if (!client) return;
  const NumberArray minimizers = minimizers_array(client_minimizers(*client));
  write_numbers(folder / kMinimizersFile, {&minimizers, 1});
}

Preference Quadratics::preference(int client) const {
  expect_client(client);
  return preferences_.of(client);
}

bool Quadratics::has_split(Split split) const {
  const bool lacks_clients = part() && part()->is_server() && options_.robustness > 0;
  return split == Split::kTest && !lacks_clients;
}

Parameters Quadratics::initial_parameters() const {
  Parameters parameters(layout_);
  Random random({seed_, 0, kServerStream}, "initial parameters");
  for (float& x : parameters.values()) x = static_cast<float>(3 * random.normal());
  return parameters;
}

std::vector<double> Quadratics::client_minimizers(int client) const {
  if (!own_.empty()) return own_;
  const bool paired = client % 2 == 1 || client + 1 < num_clients();
  const double sign = client % 2 == 0 ? 1 : -1;
  Random random({seed_, 0, static_cast<std::uint32_t>(client / 2)}, "quadratics offset");
  std::vector<double> minimizers;
  minimizers.reserve(minimizer_.size());
  for (const double minimizer : minimizer_) {
    const double offset = paired ? sign * options_.heterogeneity * random.normal() : 0;
    minimizers.push_back(minimizer + offset);
  }
  return minimizers;
}

double Quadratics::quadratic(std::span<const float> theta, std::size_t objective, std::span<const double> minimizers) const {
  double value = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const std::size_t i = at(objective, j);
    const double distance = theta[j] - minimizers[i];
    value += 0.5 * curvature_[i] * distance * distance;
  }
  return value;
}

/// One client's view.
class QuadraticsOracle : public GradientOracle {
 public:
  QuadraticsOracle(const Quadratics& problem, int client) : problem_(problem), minimizer_(problem.client_minimizers(client)) {}

  double num_samples() const override { return 1; }
  std::size_t num_objectives() const override { return problem_.num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return problem_.layout(); }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    for (std::size_t k = 0; k < losses.size(); ++k) {
      losses[k] = objective_gradient(theta, k, draw, jacobian.subspan(k * theta.size(), theta.size()));
    }
  }

  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    std::vector<float> row(theta.size());
    for (std::size_t k = 0; k < losses.size(); ++k) {
      losses[k] = objective_gradient(theta, k, draw, row);
      const auto weight = static_cast<float>(objective_weights[k]);
      for (std::size_t j = 0; j < row.size(); ++j) gradient[j] += weight * row[j];
    }
  }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    Random noise = draw.stream.substream("noise", static_cast<std::uint64_t>(draw.step)).substream("objective", objective);
    const double value = problem_.quadratic(theta, objective, minimizer_);
    const double slope = problem_.slope_at(value);
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const std::size_t i = problem_.at(objective, j);
      const double pull = problem_.curvature_[i] * (theta[j] - minimizer_[i]);
      gradient[j] = static_cast<float>(slope * (pull + problem_.options_.gradient_noise * noise.normal()));
    }
    return problem_.loss_of(value);
  }

  std::vector<double> local_losses(std::span<const float> theta) const override {
    std::vector<double> losses;
    for (std::size_t k = 0; k < num_objectives(); ++k) losses.push_back(problem_.loss_of(problem_.quadratic(theta, k, minimizer_)));
    return losses;
  }

 private:
  const Quadratics& problem_;
  std::vector<double> minimizer_;  ///< of this client, [M, d]
};

std::unique_ptr<GradientOracle> Quadratics::oracle(int client) const {
  expect_client(client);
  return std::make_unique<QuadraticsOracle>(*this, client);
}

std::vector<std::vector<double>> Quadratics::evaluated_minimizers() const {
  if (!own_.empty()) return {own_};
  if (options_.robustness == 0) return {minimizer_};
  std::vector<std::vector<double>> all;
  for (int client = 0; client < num_clients(); ++client) all.push_back(client_minimizers(client));
  return all;
}

std::vector<float> Quadratics::exact_jacobian(std::span<const float> theta) const {
  std::vector<double> sum(minimizer_.size());
  const auto evaluated = evaluated_minimizers();
  for (const std::vector<double>& minimizers : evaluated) {
    for (std::size_t k = 0; k < num_objectives(); ++k) {
      const double slope = slope_at(quadratic(theta, k, minimizers));
      for (std::size_t j = 0; j < theta.size(); ++j) sum[at(k, j)] += slope * curvature_[at(k, j)] * (theta[j] - minimizers[at(k, j)]);
    }
  }
  std::vector<float> jacobian;
  for (const double entry : sum) jacobian.push_back(static_cast<float>(entry / static_cast<double>(evaluated.size())));
  return jacobian;
}

Evaluation Quadratics::evaluate(std::span<const float> theta, Split, ThreadPool&) const {
  expect(theta.size() == layout_->size(), "quadratics: expected {} parameters, found {}", layout_->size(), theta.size());
  expect(has_split(Split::kTest), "quadratics: expected the minimizers of all clients to evaluate, found the server's part");
  Evaluation result;
  std::vector<double>& losses = result.per_objective["loss"];
  losses.resize(num_objectives());
  const auto evaluated = evaluated_minimizers();
  for (const std::vector<double>& minimizers : evaluated) {
    for (std::size_t k = 0; k < losses.size(); ++k) losses[k] += loss_of(quadratic(theta, k, minimizers));
  }
  for (double& loss : losses) loss /= static_cast<double>(evaluated.size());
  add_stationarity(exact_jacobian(theta), num_objectives(), result);
  return result;
}

HeldOutFigures Quadratics::evaluate_held_out(int client, std::span<const float> theta, ThreadPool&) const {
  expect_client(client);
  const std::vector<double> minimizers = client_minimizers(client);
  std::vector<double> losses;
  for (std::size_t k = 0; k < num_objectives(); ++k) losses.push_back(loss_of(quadratic(theta, k, minimizers)));
  HeldOutFigures figures;
  figures.add_means("loss", losses, 1);
  return figures;
}

std::vector<double> Quadratics::pareto_point(std::span<const double> objective_weights) const {
  std::vector<double> point;
  for (std::size_t j = 0; j < layout_->size(); ++j) {
    double pull = 0;
    double curvature = 0;
    for (std::size_t k = 0; k < num_objectives(); ++k) {
      pull += objective_weights[k] * curvature_[at(k, j)] * minimizer_[at(k, j)];
      curvature += objective_weights[k] * curvature_[at(k, j)];
    }
    point.push_back(pull / curvature);
  }
  return point;
}

}  // namespace paretofl
