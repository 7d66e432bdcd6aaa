// A workload, a weight solver and a strategy of one's own, run by the engine. docs/tutorial.md walks through it.
#include <fmt/format.h>

#include <algorithm>

#include "paretofl/aggregators/mean.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runtimes/threads.h"
#include "paretofl/solvers/weight_solver.h"

using namespace paretofl;

// [workload] Homes that share one thermostat setting x: f_1 = (x - wish)^2 is comfort, f_2 = 0.1 (x - outside)^2 is the bill.
class Homes : public Workload {
 public:
  int num_clients() const override { return 10; }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override { return Parameters(layout_, std::vector<float>{30}); }
  bool has_split(Split split) const override { return split == Split::kTest; }
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  Evaluation evaluate(std::span<const float> theta, Split, ThreadPool&) const override {
    const auto [comfort, bill] = losses(theta[0], 20.5);
    Evaluation result;
    result.per_objective["loss"] = {comfort, bill};
    return result;
  }
  static std::array<double, 2> losses(double x, double wish) { return {(x - wish) * (x - wish), 0.1 * (x - 10) * (x - 10)}; }

 private:
  std::vector<std::string> names_{"comfort", "bill"};
  std::shared_ptr<const Layout> layout_ = flat_layout("setting", 1);
};

// A home's losses and gradients. `draw` would name the minibatch; this problem has no noise.
class Home : public GradientOracle {
 public:
  Home(std::shared_ptr<const Layout> layout, double wish) : layout_(std::move(layout)), wish_(wish) {}
  double num_samples() const override { return 1; }
  std::size_t num_objectives() const override { return 2; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  double objective_gradient(std::span<const float> x, std::size_t k, const Draw&, std::span<float> gradient) const override {
    gradient[0] = k == 0 ? 2 * (x[0] - static_cast<float>(wish_)) : 0.2F * (x[0] - 10);
    return Homes::losses(x[0], wish_)[k];
  }
  void jacobian(std::span<const float> x, const Draw& draw, std::span<double> losses, std::span<float> rows) const override {
    for (std::size_t k = 0; k < 2; ++k) losses[k] = objective_gradient(x, k, draw, rows.subspan(k, 1));
  }
  void weighted_gradient(std::span<const float> x, std::span<const double> lambda, const Draw& draw, std::span<double> losses,
                         std::span<float> gradient) const override {
    std::vector<float> rows(2);
    jacobian(x, draw, losses, rows);
    gradient[0] = static_cast<float>(lambda[0] * rows[0] + lambda[1] * rows[1]);
  }

 private:
  std::shared_ptr<const Layout> layout_;
  double wish_;
};

std::unique_ptr<GradientOracle> Homes::oracle(int client) const { return std::make_unique<Home>(layout_, 16 + client); }

// [solver] Objective weights in proportion to the losses: what is worst off counts most.
class Proportional : public WeightSolver {
 public:
  WeightSolution solve(const WeightProblem& problem) const override {
    check(problem);
    const double sum = problem.losses[0] + problem.losses[1];
    return {{problem.losses[0] / sum, problem.losses[1] / sum}};
  }
};

// [strategy] The server half asks a cohort for gradients, the client half answers. They share messages alone.
class AskingServer : public ServerHalf {
 public:
  Metrics run_round(Round& round, Parameters& global) override {
    const Replies replies = round.broadcast(round.sample_clients(5), Request("gradients").with(global.values()));
    const std::vector<double> losses = mean_losses(replies, 2);
    const std::vector<float> rows = mean_update(replies, 2 * global.size());  // the mean jacobian [M, d]
    const std::vector<double> lambda = Proportional().solve({.gramian = gramian_of_rows(rows, 2), .losses = losses}).objective_weights;
    const auto descent = static_cast<float>(lambda[0] * rows[0] + lambda[1] * rows[1]);
    global.step(0.1, std::vector<float>{descent});
    return Metrics().with("train_loss", losses).with("lambda", lambda);
  }
};

class AnsweringClient : public ClientHalf {
 public:
  explicit AnsweringClient(std::unique_ptr<GradientOracle> oracle) : oracle_(std::move(oracle)) {}
  Reply handle(const Request& request, StreamId stream) override {
    Reply reply;
    reply.num_samples = oracle_->num_samples();
    reply.update.resize(2);
    reply.losses.resize(2);
    oracle_->jacobian(request.theta(1), {Random(stream, "gradients")}, reply.losses, reply.update);
    return reply;
  }

 private:
  std::unique_ptr<GradientOracle> oracle_;
};

// [program] The engine draws cohorts, delivers messages and counts their bytes.
int main() {
  const Homes homes;
  ThreadPool pool(2);
  const auto runtime =
      make_threads_runtime({.threads = 2}, pool, [&](int client) { return std::make_unique<AnsweringClient>(homes.oracle(client)); });
  Server server(std::make_unique<AskingServer>(), *runtime, {.seed = 1, .num_clients = homes.num_clients()}, homes.initial_parameters());
  for (std::uint32_t round = 1; round <= 30; ++round) {
    const RoundReport report = server.run_round(round);
    const auto loss = homes.evaluate(server.global().values(), Split::kTest, pool).per_objective.at("loss");
    if (round % 10 == 0)
      fmt::print("round {}: setting {:.1f}, comfort {:.2f}, bill {:.2f}, {} bytes up\n", round, server.global().values()[0], loss[0],
                 loss[1], report.bytes_up);
  }
}
