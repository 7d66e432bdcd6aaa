#include "paretofl/local/vertex_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/model_simplex.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

using testing::FloatNear;
using testing::Pointwise;

/// f_k(x) = 1/2 (x - c_k)^2 with c = (1, -1), on one parameter.
class TwoParabolas : public GradientOracle {
 public:
  double num_samples() const override { return 1; }
  std::size_t num_objectives() const override { return 2; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  void jacobian(std::span<const float> theta, const Draw&, std::span<double> losses, std::span<float> jacobian) const override {
    for (std::size_t k = 0; k < 2; ++k) {
      losses[k] = 0.5 * std::pow(theta[0] - center(k), 2);
      jacobian[k] = static_cast<float>(theta[0] - center(k));
    }
  }
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    std::vector<float> rows(2);
    jacobian(theta, draw, losses, rows);
    gradient[0] = static_cast<float>(objective_weights[0] * rows[0] + objective_weights[1] * rows[1]);
  }
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw&, std::span<float> gradient) const override {
    gradient[0] = static_cast<float>(theta[0] - center(objective));
    return 0.5 * std::pow(gradient[0], 2);
  }

 private:
  static double center(std::size_t k) { return k == 0 ? 1 : -1; }
  std::shared_ptr<const Layout> layout_ = flat_layout("x", 1);
};

const Random kStream({3, 1, 2}, "train");

std::vector<double> drawn_preference(std::uint64_t step, std::uint64_t index, std::size_t objectives, double concentration) {
  return kStream.substream("preferences", step).substream("preference", index).dirichlet(std::vector<double>(objectives, concentration));
}

TEST(VertexTraining, OneStepByHand) {
  const TwoParabolas oracle;
  const std::vector<float> vertices{2, 0.5};
  const LocalUpdate found = train_vertices({.local_steps = 1, .client_lr = 0.1}, {}, oracle, vertices, nullptr, kStream);
  const std::vector<double> r = drawn_preference(0, 0, 2, 1);
  const double theta = 2 * r[0] + 0.5 * r[1];
  const double g = theta - (r[0] - r[1]);
  EXPECT_THAT(found.update, Pointwise(FloatNear(1e-6F), {static_cast<float>(0.1 * r[0] * g), static_cast<float>(0.1 * r[1] * g)}));
  EXPECT_NEAR(found.losses[0], 0.5 * std::pow(theta - 1, 2), 1e-6);
  EXPECT_NEAR(found.losses[1], 0.5 * std::pow(theta + 1, 2), 1e-6);
}

// With the preferences w of a step fixed, a step of length 1 is the gradient of 1/W sum_w sum_k r_wk f_k(theta(r_w)), and of the
// regularizer.
TEST(VertexTraining, AStepIsTheGradientOfWhatItLowers) {
  const Quadratics problem({.clients = 1, .objectives = 3, .dimension = 4, .heterogeneity = 0, .gradient_noise = 0}, 5);
  const auto oracle = problem.oracle(0);
  constexpr std::size_t kM = 3, kD = 4, kW = 3;
  std::vector<float> vertices;
  Random random({1, 0, 0}, "vertices");
  for (std::size_t i = 0; i < kM * kD; ++i) vertices.push_back(static_cast<float>(random.normal()));
  for (const double penalty : {0.0, 0.5}) {
    const VertexTrainingOptions training{.concentration = 0.7, .preferences_per_step = kW, .order_penalty = penalty};
    const LocalUpdate found = train_vertices({.local_steps = 1, .client_lr = 1}, training, *oracle, vertices, nullptr, kStream);
    const auto value = [&](std::span<const float> at) {
      double sum = 0;
      std::vector<double> losses(kW * kM), shares;
      for (std::size_t w = 0; w < kW; ++w) {
        const std::vector<double> r = drawn_preference(0, w, kM, 0.7);
        shares.insert(shares.end(), r.begin(), r.end());
        std::vector<float> theta(kD), gradient(kD);
        mix_models(at, r, theta);
        oracle->weighted_gradient(theta, r, {kStream, 0}, std::span(losses).subspan(w * kM, kM), gradient);
        for (std::size_t k = 0; k < kM; ++k) sum += r[k] * losses[w * kM + k] / kW;
      }
      for (std::size_t k = 0; k < kM; ++k) {
        double exponentials = 0;
        int pairs = 0;
        for (std::size_t v = 0; v < kW; ++v) {
          for (std::size_t w = 0; w < kW; ++w) {
            if (shares[v * kM + k] >= shares[w * kM + k]) continue;
            exponentials += std::exp(std::max(0.0, losses[w * kM + k] - losses[v * kM + k]));
            ++pairs;
          }
        }
        sum += penalty * std::log(exponentials / pairs);
      }
      return sum;
    };
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      std::vector<float> above = vertices, below = vertices;
      above[i] += 1e-2F;
      below[i] -= 1e-2F;
      EXPECT_NEAR(found.update[i], (value(above) - value(below)) / (double{above[i]} - double{below[i]}), 2e-3) << penalty << " " << i;
    }
  }
}

TEST(VertexTraining, ThePenaltyIsZeroWhereLossesFollowThePreferences) {
  const std::vector<double> preferences{0.8, 0.2, 0.3, 0.7};
  EXPECT_THAT(order_penalty_slopes(preferences, std::vector<double>{1, 3, 2, 1}, 2), testing::Each(0.0));
  // Objective 0 has the larger loss where it is preferred more: the one pair has the whole weight.
  EXPECT_THAT(order_penalty_slopes(preferences, std::vector<double>{2, 3, 1, 1}, 2), testing::ElementsAre(1, 0, -1, 0));
}

// Where the solver's weights are the preference, its jacobian gives the gradient of the weighted loss.
TEST(VertexTraining, ASolverThatReturnsThePreferenceChangesNothing) {
  const Quadratics problem({.clients = 2, .objectives = 3, .gradient_noise = 0.2}, 5);
  const Parameters start = problem.initial_parameters();
  const ModelSimplex simplex(start, 3, {});
  const auto solver = make_solver({"linear", {}});
  const LocalTrainingOptions options{.local_steps = 4, .client_lr = 0.1};
  const VertexTrainingOptions training{.preferences_per_step = 2};
  const auto trained = [&](const WeightSolver* by) {
    return train_vertices(options, training, *problem.oracle(1), simplex.vertices().values(), by, kStream).update;
  };
  EXPECT_THAT(trained(solver.get()), Pointwise(FloatNear(1e-4F), trained(nullptr)));
  const auto balancing = make_solver({"smooth_tchebycheff", {}});
  EXPECT_THAT(trained(balancing.get()), testing::Not(Pointwise(FloatNear(1e-4F), trained(nullptr))));
}

}  // namespace
}  // namespace paretofl
