#include "paretofl/workloads/logistic_regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/local/minibatch.h"
#include "paretofl/parties/number_file.h"
#include "paretofl/workloads/stationarity.h"

namespace paretofl {

void LogisticRegressionOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("objectives", objectives, 1, 1000, "number of objectives (M), each with labels of its own");
  visit.integer("dimension", dimension, 1, kMaxInt, "number of features and parameters (d)");
  visit.integer("samples_per_client", samples_per_client, 1, kMaxInt, "training samples of a client");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "samples of a minibatch; all of a client's where it has fewer");
  visit.real("heterogeneity", heterogeneity, 0, 1e6, "spread of the clients' features, and of the weights that their labels follow");
}

namespace {

constexpr const char* kSamplesFile = "samples.json";

std::vector<NumberArray> sample_arrays(const LogisticRegressionOptions& options, std::vector<double> features, std::vector<double> labels) {
  const auto n = static_cast<std::size_t>(options.samples_per_client);
  return {{.name = "features", .shape = {n, static_cast<std::size_t>(options.dimension)}, .values = std::move(features)},
          {.name = "labels", .shape = {n, static_cast<std::size_t>(options.objectives)}, .values = std::move(labels)}};
}

std::vector<double> normal_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(random.normal());
  return numbers;
}

double inner_product(std::span<const double> weights, std::span<const double> features) {
  return std::inner_product(weights.begin(), weights.end(), features.begin(), 0.0);
}

void copy_as_floats(std::span<const double> from, std::span<float> to) {
  std::transform(from.begin(), from.end(), to.begin(), [](double x) { return static_cast<float>(x); });
}

}  // namespace

LogisticRegression::LogisticRegression(const LogisticRegressionOptions& options, std::uint64_t seed, std::optional<ProblemPart> part)
    : Workload(std::move(part)),
      options_(options),
      seed_(seed),
      layout_(flat_layout("weights", static_cast<std::size_t>(options.dimension))) {
  for (std::int64_t k = 0; k < options.objectives; ++k) names_.push_back(fmt::format("objective{}", k));
  if (this->part()) {
    if (!this->part()->is_server()) samples_.push_back(read_samples());
    return;
  }
  for (std::uint32_t client = 0; client < static_cast<std::uint32_t>(options.clients); ++client) samples_.push_back(draw_samples(client));
}

LogisticRegression::Samples LogisticRegression::draw_samples(std::uint32_t client) const {
  const std::size_t d = layout_->size();
  Random common({seed_, 0, kServerStream}, "logistic weights");
  Random random({seed_, 0, client}, "logistic samples");
  const std::vector<double> shift = normal_numbers(d, random);
  std::vector<double> weights = normal_numbers(names_.size() * d, common);
  for (double& weight : weights) weight += options_.heterogeneity * random.normal();
  Samples own;
  for (std::int64_t sample = 0; sample < options_.samples_per_client; ++sample) {
    for (std::size_t j = 0; j < d; ++j) {
      own.features.push_back(options_.heterogeneity * shift[j] + std::pow(static_cast<double>(j + 1), -0.6) * random.normal());
    }
    const std::span<const double> features = std::span(own.features).last(d);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const double margin = inner_product(std::span(weights).subspan(k * d, d), features);
      own.labels.push_back(random.uniform() < 1 / (1 + std::exp(-margin)) ? 1 : -1);
    }
  }
  return own;
}

LogisticRegression::Samples LogisticRegression::read_samples() const {
  const std::filesystem::path file = part()->file(kSamplesFile);
  std::vector<std::vector<double>> arrays = read_numbers(file, sample_arrays(options_, {}, {}));
  for (const double label : arrays[1]) {
    expect(label == 1 || label == -1, "{}: labels: expected -1 or 1, found {}", file.string(), label);
  }
  return {.features = std::move(arrays[0]), .labels = std::move(arrays[1])};
}

void LogisticRegression::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  if (!client) return;
  const Samples& own = samples_of(*client);
  write_numbers(folder / kSamplesFile, sample_arrays(options_, own.features, own.labels));
}

const LogisticRegression::Samples& LogisticRegression::samples_of(int client) const {
  expect_client(client);
  return part() ? samples_.front() : samples_[static_cast<std::size_t>(client)];
}

std::vector<std::uint32_t> LogisticRegression::all_samples() const {
  std::vector<std::uint32_t> all(static_cast<std::size_t>(options_.samples_per_client));
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

Parameters LogisticRegression::initial_parameters() const {
  Parameters parameters(layout_);
  Random random({seed_, 0, kServerStream}, "initial parameters");
  for (float& x : parameters.values()) x = static_cast<float>(random.normal());
  return parameters;
}

LogisticRegression::Slopes LogisticRegression::slopes(const Samples& own, std::span<const std::uint32_t> batch,
                                                      std::span<const float> theta) const {
  const std::vector<double> weights(theta.begin(), theta.end());
  const std::size_t objectives = names_.size();
  const double share = 1 / static_cast<double>(batch.size());
  Slopes found{.losses = std::vector<double>(objectives), .slopes = {}};
  found.slopes.reserve(batch.size() * objectives);
  for (const std::uint32_t sample : batch) {
    const double predicted = inner_product(weights, std::span(own.features).subspan(sample * weights.size(), weights.size()));
    for (std::size_t k = 0; k < objectives; ++k) {
      const double label = own.labels[sample * objectives + k];
      const double margin = label * predicted;
      const double rest = std::exp(-std::abs(margin));
      found.losses[k] += share * (std::max(-margin, 0.0) + std::log1p(rest));
      found.slopes.push_back(-share * label * (margin > 0 ? rest : 1) / (1 + rest));
    }
  }
  return found;
}

std::vector<double> LogisticRegression::combined(const Samples& own, std::span<const std::uint32_t> batch,
                                                 std::span<const double> coefficients) const {
  const std::size_t d = layout_->size();
  std::vector<double> sum(d);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) sum[j] += coefficients[i] * own.features[batch[i] * d + j];
  }
  return sum;
}

std::vector<double> LogisticRegression::objective_gradient(const Samples& own, std::span<const std::uint32_t> batch, const Slopes& found,
                                                           std::size_t k) const {
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < batch.size(); ++i) coefficients.push_back(found.slopes[i * names_.size() + k]);
  return combined(own, batch, coefficients);
}

/// One client's view.
class LogisticOracle : public GradientOracle {
 public:
  LogisticOracle(const LogisticRegression& problem, int client)
      : problem_(problem), own_(problem.samples_of(client)), all_(problem.all_samples()) {}

  double num_samples() const override { return static_cast<double>(all_.size()); }
  std::size_t num_objectives() const override { return problem_.num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return problem_.layout(); }
  bool takes_single_samples() const override { return true; }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    const std::vector<std::uint32_t> batch = load(draw);
    const LogisticRegression::Slopes found = problem_.slopes(own_, batch, theta);
    std::copy(found.losses.begin(), found.losses.end(), losses.begin());
    for (std::size_t k = 0; k < losses.size(); ++k) {
      copy_as_floats(problem_.objective_gradient(own_, batch, found, k), jacobian.subspan(k * theta.size(), theta.size()));
    }
  }

  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    const std::vector<std::uint32_t> batch = load(draw);
    const LogisticRegression::Slopes found = problem_.slopes(own_, batch, theta);
    std::copy(found.losses.begin(), found.losses.end(), losses.begin());
    std::vector<double> coefficients;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      coefficients.push_back(inner_product(objective_weights, std::span(found.slopes).subspan(i * losses.size(), losses.size())));
    }
    copy_as_floats(problem_.combined(own_, batch, coefficients), gradient);
  }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    const std::vector<std::uint32_t> batch = load(draw);
    const LogisticRegression::Slopes found = problem_.slopes(own_, batch, theta);
    copy_as_floats(problem_.objective_gradient(own_, batch, found, objective), gradient);
    return found.losses[objective];
  }

  std::vector<double> local_losses(std::span<const float> theta) const override { return problem_.slopes(own_, all_, theta).losses; }

 private:
  std::vector<std::uint32_t> load(const Draw& draw) const {
    return minibatch(all_, std::min(static_cast<std::size_t>(problem_.options_.batch_size), all_.size()), draw);
  }

  const LogisticRegression& problem_;
  const LogisticRegression::Samples& own_;
  std::vector<std::uint32_t> all_;  ///< the numbers of the client's samples
};

std::unique_ptr<GradientOracle> LogisticRegression::oracle(int client) const { return std::make_unique<LogisticOracle>(*this, client); }

LogisticRegression::Means LogisticRegression::means(std::span<const float> theta) const {
  const std::vector<std::uint32_t> all = all_samples();
  const auto clients = static_cast<double>(samples_.size());
  Means means{.losses = std::vector<double>(names_.size()), .jacobian = std::vector<float>(names_.size() * theta.size())};
  std::vector<double> sum(means.jacobian.size());
  for (const Samples& own : samples_) {
    const Slopes found = slopes(own, all, theta);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      means.losses[k] += found.losses[k] / clients;
      const std::vector<double> gradient = objective_gradient(own, all, found, k);
      for (std::size_t j = 0; j < theta.size(); ++j) sum[k * theta.size() + j] += gradient[j] / clients;
    }
  }
  copy_as_floats(sum, means.jacobian);
  return means;
}

Evaluation LogisticRegression::evaluate(std::span<const float> theta, Split, ThreadPool&) const {
  expect(theta.size() == layout_->size(), "logistic: expected {} parameters, found {}", layout_->size(), theta.size());
  expect(!samples_.empty(), "logistic: expected the samples of all clients to evaluate, found the server's part");
  Means found = means(theta);
  Evaluation result;
  result.per_objective["loss"] = std::move(found.losses);
  add_stationarity(found.jacobian, names_.size(), result);
  return result;
}

HeldOutFigures LogisticRegression::evaluate_held_out(int client, std::span<const float> theta, ThreadPool&) const {
  HeldOutFigures figures;
  figures.add_means("loss", slopes(samples_of(client), all_samples(), theta).losses, static_cast<double>(options_.samples_per_client));
  return figures;
}

}  // namespace paretofl
