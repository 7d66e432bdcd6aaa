#include "paretofl/local/vertex_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/model_simplex.h"
#include "paretofl/local/jacobian.h"

namespace paretofl {
namespace {

constexpr double kSmallestShare = 1e-12;  // solvers need positive preferences, and draws with a small alpha can be 0

/// The preferences of one local step [W, M].
std::vector<double> draw_preferences(const VertexTrainingOptions& training, std::size_t objectives, const Random& stream) {
  std::vector<double> drawn;
  for (std::int64_t w = 0; w < training.preferences_per_step; ++w) {
    const auto r = stream.substream("preference", static_cast<std::uint64_t>(w)).dirichlet(std::vector(objectives, training.concentration));
    drawn.insert(drawn.end(), r.begin(), r.end());
  }
  return drawn;
}

/// Takes the gradients of vertices at theta(r) for one client.
class VertexGradient {
 public:
  VertexGradient(const GradientOracle& oracle, const WeightSolver* solver)
      : oracle_(oracle), solver_(solver), theta_(oracle.layout()->size()), gradient_(theta_.size()) {
    if (solver_ != nullptr) rows_.resize(oracle_.num_objectives() * theta_.size());
  }

  /// Adds share r_k g to vertex k of `sum` [M, d], g the gradient at theta(r) of the weighted sum; `losses` [M] there.
  void add(std::span<const float> vertices, std::span<const double> r, const Draw& draw, double share, std::span<double> losses,
           std::span<float> sum) {
    mix_models(vertices, r, theta_);
    if (solver_ == nullptr) {
      oracle_.weighted_gradient(theta_, r, draw, losses, gradient_);
    } else {
      oracle_.jacobian(theta_, draw, losses, rows_);
      combine_rows(r, draw, losses);
    }
    spread(r, share, sum);
  }

  /// Likewise with weights [M] that are given; returns nothing of the losses.
  void add_weighted(std::span<const float> vertices, std::span<const double> r, std::span<const double> weights, const Draw& draw,
                    std::span<float> sum) {
    mix_models(vertices, r, theta_);
    std::vector<double> losses(r.size());
    oracle_.weighted_gradient(theta_, weights, draw, losses, gradient_);
    spread(r, 1, sum);
  }

 private:
  void combine_rows(std::span<const double> r, const Draw& draw, std::span<const double> losses) {
    const std::size_t objectives = r.size();
    std::vector<double> preference(r.begin(), r.end());
    for (double& share : preference) share = std::max(share, kSmallestShare);
    const Gramian gramian = gramian_of_rows(columns(rows_, objectives, gramian_part(*oracle_.layout(), false)), objectives);
    const std::vector<double> lambda =
        solver_->solve({.gramian = gramian, .losses = losses, .preference = preference, .step = draw.step + 1}).objective_weights;
    gradient_ = weighted_rows(rows_, lambda);
    descend_in_heads(*oracle_.layout(), lambda, gradient_);
  }

  void spread(std::span<const double> r, double share, std::span<float> sum) const {
    for (std::size_t k = 0; k < r.size(); ++k) {
      const auto factor = static_cast<float>(share * r[k]);
      const auto vertex = sum.subspan(k * gradient_.size(), gradient_.size());
      for (std::size_t j = 0; j < gradient_.size(); ++j) vertex[j] += factor * gradient_[j];
    }
  }

  const GradientOracle& oracle_;
  const WeightSolver* solver_;
  std::vector<float> theta_;     // [d]
  std::vector<float> gradient_;  // [d]
  std::vector<float> rows_;      // [M, d], with a solver
};

}  // namespace

void VertexTrainingOptions::describe(OptionVisitor& visit) {
  visit.real("concentration", concentration, 1e-3, 1e6,
             "alpha of the Dirichlet distribution of the preferences; 1: uniform on the simplex");
  visit.integer("preferences_per_step", preferences_per_step, 1, kMaxInt, "preferences drawn for each local step, on one minibatch (W)");
  visit.real(
      "order_penalty", order_penalty, 0, kInfinity,
      "factor of the multi-forward regularizer, which keeps losses in the order of the preferences; needs preferences_per_step of 2");
}

std::vector<double> order_penalty_slopes(std::span<const double> preferences, std::span<const double> losses, std::size_t objectives) {
  const std::size_t count = losses.size() / objectives;
  std::vector<double> slopes(losses.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    double sum = 0;
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t w = 0; w < count; ++w) {
        if (preferences[v * objectives + k] >= preferences[w * objectives + k]) continue;
        sum += std::exp(std::max(0.0, losses[w * objectives + k] - losses[v * objectives + k]));
      }
    }
    if (sum == 0 || !std::isfinite(sum)) continue;
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t w = 0; w < count; ++w) {
        const double excess = losses[w * objectives + k] - losses[v * objectives + k];
        if (preferences[v * objectives + k] >= preferences[w * objectives + k] || excess <= 0) continue;
        slopes[w * objectives + k] += std::exp(excess) / sum;
        slopes[v * objectives + k] -= std::exp(excess) / sum;
      }
    }
  }
  return slopes;
}

LocalUpdate train_vertices(const LocalTrainingOptions& options, const VertexTrainingOptions& training, const GradientOracle& oracle,
                           std::span<const float> start, const WeightSolver* solver, const Random& stream) {
  const std::size_t objectives = oracle.num_objectives();
  const auto count = static_cast<std::size_t>(training.preferences_per_step);
  const double share = 1 / static_cast<double>(count);
  VertexGradient gradient_at(oracle, solver);
  std::vector<double> found(count * objectives);
  return train_locally(options, start, objectives, [&](std::int64_t step, auto vertices, auto losses, auto gradient) {
    const Draw draw{stream, step};
    const std::vector<double> drawn =
        draw_preferences(training, objectives, stream.substream("preferences", static_cast<std::uint64_t>(step)));
    const auto row = [&](auto& values, std::size_t w) { return std::span(values).subspan(w * objectives, objectives); };
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    std::fill(losses.begin(), losses.end(), 0.0);
    for (std::size_t w = 0; w < count; ++w) {
      gradient_at.add(vertices, row(drawn, w), draw, share, row(found, w), gradient);
      for (std::size_t k = 0; k < objectives; ++k) losses[k] += share * found[w * objectives + k];
    }
    if (training.order_penalty == 0) return;
    std::vector<double> slopes = order_penalty_slopes(drawn, found, objectives);
    for (double& slope : slopes) slope *= training.order_penalty;
    for (std::size_t w = 0; w < count; ++w) {
      const auto weights = row(slopes, w);
      if (std::all_of(weights.begin(), weights.end(), [](double slope) { return slope == 0; })) continue;
      gradient_at.add_weighted(vertices, row(drawn, w), weights, draw, gradient);
    }
  });
}

}  // namespace paretofl
