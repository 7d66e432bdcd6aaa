#pragma once

#include "paretofl/workloads/workload.h"

namespace paretofl {

struct LogisticRegressionOptions {
  std::int64_t clients = 20;
  std::int64_t objectives = 2;  ///< M
  std::int64_t dimension = 20;  ///< d
  std::int64_t samples_per_client = 100;
  std::int64_t batch_size = 10;
  double heterogeneity = 0.5;  ///< h, the spread of the clients' features and labels

  void describe(OptionVisitor& visit);
};

/// M labels of the same samples, predicted by the same linear function: client i's objective k is the mean of log(1 + exp(-y_k <theta, x>))
/// over its samples, with the labels y_k in {-1, 1}. The objectives conflict, as their labels follow different weights; they are smooth and
/// convex, have bounded gradients and no minimizer in closed form. The gradients of the means F_k over all clients are known exactly.
///
/// The samples are drawn as the synthetic ones of Li et al. 2020 (FedProx, section 5.1), with labels by chance instead of the likeliest:
/// x_j = h v_ij + j^-0.6 n_j for j = 1 .. d, and y_k is 1 with the probability 1 / (1 + exp(-<w_k + h u_ik, x>)). All of v, n, w and u are
/// standard normal; v_i and u_ik are the client's.
///
/// Minibatches go through the samples in an endless sequence of epochs, each in a new order.
class LogisticRegression : public Workload {
 public:
  /// With a client's part, its samples come from the folder.
  LogisticRegression(const LogisticRegressionOptions& options, std::uint64_t seed, std::optional<ProblemPart> part = {});

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  /// samples.json, the client's features [n, d] and labels [n, M]; nothing for the server.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  /// Not of the server's part: F_k takes all clients' samples. A client's part evaluates its own f_ik.
  bool has_split(Split split) const override { return split == Split::kTest && !samples_.empty(); }
  /// "loss": F_k(theta) [M]; overall "stationarity": min over the simplex of ||sum_k lambda_k grad F_k(theta)||^2; and the exact gradients'
  /// Gramian.
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "loss" of the client's own objectives.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;

  /// Exact gradients of all F_k at theta, [M, d] row-major.
  std::vector<float> exact_jacobian(std::span<const float> theta) const { return means(theta).jacobian; }

 private:
  friend class LogisticOracle;
  /// What one client has.
  struct Samples {
    std::vector<double> features;  ///< [n, d]
    std::vector<double> labels;    ///< [n, M], -1 or 1
  };
  /// Losses of samples, and their derivatives by <theta, x>.
  struct Slopes {
    std::vector<double> losses;  ///< [M], means over the samples
    std::vector<double> slopes;  ///< [samples, M], divided by the number of samples
  };

  /// What the clients whose samples are here have in their mean, on all of them.
  struct Means {
    std::vector<double> losses;   ///< F_k [M]
    std::vector<float> jacobian;  ///< their gradients [M, d]
  };

  Means means(std::span<const float> theta) const;
  std::vector<std::uint32_t> all_samples() const;
  Samples draw_samples(std::uint32_t client) const;
  Samples read_samples() const;
  const Samples& samples_of(int client) const;
  Slopes slopes(const Samples& own, std::span<const std::uint32_t> batch, std::span<const float> theta) const;
  /// Objective k's gradient [d] on the batch that the slopes belong to.
  std::vector<double> objective_gradient(const Samples& own, std::span<const std::uint32_t> batch, const Slopes& found,
                                         std::size_t k) const;
  /// sum over the batch of coefficient x, [d].
  std::vector<double> combined(const Samples& own, std::span<const std::uint32_t> batch, std::span<const double> coefficients) const;

  LogisticRegressionOptions options_;
  std::uint64_t seed_;
  std::vector<std::string> names_;
  std::shared_ptr<const Layout> layout_;
  std::vector<Samples> samples_;  ///< of each client; of a client's part: its own alone; of the server's: none
};

}  // namespace paretofl
