#pragma once

#include <cmath>

#include "paretofl/parties/number_file.h"
#include "paretofl/workloads/client_preferences.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct QuadraticsOptions {
  std::int64_t clients = 20;
  std::int64_t objectives = 2;  ///< M
  std::int64_t dimension = 20;  ///< d
  double condition = 10;        ///< ratio of the largest to the smallest curvature, in [1, inf)
  double heterogeneity = 0.5;   ///< spread of the clients' minimizers around the global ones
  double gradient_noise = 0.1;  ///< standard deviation of each gradient entry's noise
  double robustness = 0;        ///< r: losses are log(1 + r q) / r of the quadratics q; 0: q itself
  Component preferences{"uniform", {}};

  void describe(OptionVisitor& visit);
};

/// Smooth convex objectives with everything known: client i's objective k is
/// f_ik(x) = 1/2 sum_j a_kj (x_j - c_kj - s_i h delta_kj)^2 with s_i = +1 for even and -1 for odd
/// clients in pairs, so that (for an even number of clients) F_k has its minimizer at c_k and
/// curvatures a_k in [1/condition, 1]. Stochastic gradients add Gaussian noise. Pareto-stationary
/// points are x(lambda) = (sum_k lambda_k a_kj c_kj / sum_k lambda_k a_kj)_j.
///
/// With robustness r > 0 the losses are those of robust regression (Cauchy's): f_ik = log(1 + r q_ik) / r of these
/// quadratics q_ik, which far away grow slowly. A client's gradient with its noise is scaled likewise, by 1 / (1 + r q_ik).
/// F_k is then the mean over the clients, and has no minimizer in closed form. Minimizers that lie far apart make a Pareto front
/// that bends inwards: minima of weighted sums are near its ends alone.
class Quadratics : public Workload {
 public:
  /// With a client's part, the client's minimizers and its preference come from the folder.
  Quadratics(const QuadraticsOptions& options, std::uint64_t seed, std::optional<ProblemPart> part = {});

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  Preference preference(int client) const override;
  std::optional<Preference> shared_preference(int) const override { return std::nullopt; }
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  /// minimizers.json, the client's minimizers [M, d], and preference.json; nothing for the server, since the global minimizers and the
  /// curvatures follow from the seed.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  /// Not of the server's part with robustness, where F_k takes all clients' minimizers. A client's part evaluates its own f_ik.
  bool has_split(Split split) const override;
  /// "loss": F_k(x) [M], without robustness down to its minimum 0; overall "stationarity": min over the simplex of ||sum_k lambda_k grad
  /// F_k(x)||^2; and the exact gradients' Gramian.
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "loss" of the client's own objectives, which count as one sample.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;

  /// The point x(lambda) of the Pareto set [d]; of the quadratics, with robustness too.
  std::vector<double> pareto_point(std::span<const double> objective_weights) const;
  /// Exact gradients of all F_k at theta, [M, d] row-major.
  std::vector<float> exact_jacobian(std::span<const float> theta) const;

 private:
  friend class QuadraticsOracle;
  std::size_t at(std::size_t objective, std::size_t j) const { return objective * static_cast<std::size_t>(options_.dimension) + j; }
  NumberArray minimizers_array(std::vector<double> values) const;
  /// A client's minimizers of its objectives [M, d]: offsets that its pair shares, with opposite signs.
  std::vector<double> client_minimizers(int client) const;
  /// The loss of a quadratic's value, and its derivative there.
  double loss_of(double q) const { return options_.robustness > 0 ? std::log1p(options_.robustness * q) / options_.robustness : q; }
  double slope_at(double q) const { return options_.robustness > 0 ? 1 / (1 + options_.robustness * q) : 1; }
  /// 1/2 sum_j a_kj (x_j - minimizer_kj)^2.
  double quadratic(std::span<const float> theta, std::size_t objective, std::span<const double> minimizers) const;
  /// The minimizers whose objectives' mean is evaluated: all clients', or without robustness the global ones; a client's part has its own.
  std::vector<std::vector<double>> evaluated_minimizers() const;

  QuadraticsOptions options_;
  std::uint64_t seed_;
  ClientPreferences preferences_;
  std::vector<std::string> names_;
  std::shared_ptr<const Layout> layout_;
  std::vector<double> curvature_;  ///< a [M, d]
  std::vector<double> minimizer_;  ///< c [M, d]
  std::vector<double> own_;        ///< of a client's part: its minimizers [M, d]
};

}  // namespace paretofl
