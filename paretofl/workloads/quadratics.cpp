#include "paretofl/workloads/quadratics.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

void QuadraticsOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("objectives", objectives, 1, 1000, "number of objectives (M)");
  visit.integer("dimension", dimension, 1, kMaxInt, "number of parameters (d)");
  visit.real("condition", condition, 1, 1e12, "ratio of the largest to the smallest curvature");
  visit.real("heterogeneity", heterogeneity, 0, kInfinity, "spread of the clients' minimizers around the global ones");
  visit.real("gradient_noise", gradient_noise, 0, kInfinity, "standard deviation of the noise on each gradient entry");
  describe_client_preferences(visit, preferences);
}

Quadratics::Quadratics(const QuadraticsOptions& options, std::uint64_t seed)
    : options_(options),
      seed_(seed),
      preferences_(options.preferences, static_cast<std::size_t>(options.objectives), static_cast<int>(options.clients), seed),
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
}

Parameters Quadratics::initial_parameters() const {
  Parameters parameters(layout_);
  Random random({seed_, 0, kServerStream}, "initial parameters");
  for (float& x : parameters.values()) x = static_cast<float>(3 * random.normal());
  return parameters;
}

/// One client's view: offsets its pair shares, with opposite signs.
class QuadraticsOracle : public GradientOracle {
 public:
  QuadraticsOracle(const Quadratics& problem, int client) : problem_(problem) {
    const bool paired = client % 2 == 1 || client + 1 < problem.num_clients();
    const double sign = client % 2 == 0 ? 1 : -1;
    Random random({problem.seed_, 0, static_cast<std::uint32_t>(client / 2)}, "quadratics offset");
    minimizer_.reserve(problem.minimizer_.size());
    for (const double minimizer : problem.minimizer_) {
      const double offset = paired ? sign * problem.options_.heterogeneity * random.normal() : 0;
      minimizer_.push_back(minimizer + offset);
    }
  }

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
    double loss = 0;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const std::size_t i = problem_.at(objective, j);
      const double distance = theta[j] - minimizer_[i];
      loss += 0.5 * problem_.curvature_[i] * distance * distance;
      gradient[j] = static_cast<float>(problem_.curvature_[i] * distance + problem_.options_.gradient_noise * noise.normal());
    }
    return loss;
  }

 private:
  const Quadratics& problem_;
  std::vector<double> minimizer_;  ///< of this client, [M, d]
};

std::unique_ptr<GradientOracle> Quadratics::oracle(int client) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  return std::make_unique<QuadraticsOracle>(*this, client);
}

std::vector<float> Quadratics::exact_jacobian(std::span<const float> theta) const {
  std::vector<float> jacobian(minimizer_.size());
  for (std::size_t i = 0; i < jacobian.size(); ++i) {
    jacobian[i] = static_cast<float>(curvature_[i] * (theta[i % theta.size()] - minimizer_[i]));
  }
  return jacobian;
}

Evaluation Quadratics::evaluate(std::span<const float> theta, Split, ThreadPool&) const {
  expect(theta.size() == layout_->size(), "quadratics: expected {} parameters, found {}", layout_->size(), theta.size());
  Evaluation result;
  std::vector<double>& losses = result.per_objective["loss"];
  for (std::size_t k = 0; k < num_objectives(); ++k) {
    double loss = 0;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const double distance = theta[j] - minimizer_[at(k, j)];
      loss += 0.5 * curvature_[at(k, j)] * distance * distance;
    }
    losses.push_back(loss);
  }
  const Gramian gramian = gramian_of_rows(exact_jacobian(theta), num_objectives());
  result.gramian.assign(gramian.values().begin(), gramian.values().end());
  const std::vector<double> lambda = make_solver({"min_norm", {}})->solve({.gramian = gramian}).objective_weights;
  double& stationarity = result.overall["stationarity"];
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    for (std::size_t l = 0; l < lambda.size(); ++l) stationarity += lambda[k] * lambda[l] * gramian(k, l);
  }
  return result;
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
