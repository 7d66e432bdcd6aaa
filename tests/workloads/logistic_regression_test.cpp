#include "paretofl/workloads/logistic_regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/parties/number_file.h"
#include "tests/images/idx_bytes.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;

LogisticRegressionOptions small_regression(double heterogeneity = 0.5) {
  return {.clients = 3, .objectives = 2, .dimension = 4, .samples_per_client = 30, .batch_size = 8, .heterogeneity = heterogeneity};
}

/// A client's samples, as its folder has them.
struct WrittenSamples {
  std::vector<double> features;
  std::vector<double> labels;
};

WrittenSamples written_samples(const LogisticRegressionOptions& options, std::uint64_t seed, int client) {
  const std::filesystem::path folder = empty_folder("logistic_samples");
  LogisticRegression(options, seed).write_part(client, folder);
  const auto n = static_cast<std::size_t>(options.samples_per_client);
  const std::vector<NumberArray> shapes{{.name = "features", .shape = {n, static_cast<std::size_t>(options.dimension)}, .values = {}},
                                        {.name = "labels", .shape = {n, static_cast<std::size_t>(options.objectives)}, .values = {}}};
  auto arrays = read_numbers(folder / "samples.json", shapes);
  std::filesystem::remove_all(folder);
  return {std::move(arrays[0]), std::move(arrays[1])};
}

std::vector<double> losses_of(const LogisticRegression& problem, std::span<const float> theta) {
  ThreadPool pool(1);
  return problem.evaluate(theta, Split::kTest, pool).per_objective.at("loss");
}

TEST(LogisticRegression, LossesAndGradientsAreThoseOfTheFormula) {
  const LogisticRegression problem(small_regression(), 3);
  const WrittenSamples samples = written_samples(small_regression(), 3, 1);
  const std::vector<float> theta{0.5F, -1.0F, 2.0F, 0.25F};
  std::vector<double> losses(2), gradient(8);
  for (std::size_t n = 0; n < 30; ++n) {
    double predicted = 0;
    for (std::size_t j = 0; j < 4; ++j) predicted += static_cast<double>(theta[j]) * samples.features[4 * n + j];
    for (std::size_t k = 0; k < 2; ++k) {
      const double label = samples.labels[2 * n + k];
      losses[k] += std::log(1 + std::exp(-label * predicted)) / 30;
      for (std::size_t j = 0; j < 4; ++j) {
        gradient[4 * k + j] -= label / (1 + std::exp(label * predicted)) * samples.features[4 * n + j] / 30;
      }
    }
  }
  EXPECT_THAT(problem.oracle(1)->local_losses(theta), Pointwise(DoubleNear(1e-12), losses));
  LogisticRegressionOptions whole = small_regression();
  whole.batch_size = 1000;  // more than there are: all
  const LogisticRegression all(whole, 3);
  std::vector<double> found(2);
  std::vector<float> rows(8);
  all.oracle(1)->jacobian(theta, {Random({1, 0, 0}, "test"), 0}, found, rows);
  EXPECT_THAT(found, Pointwise(DoubleNear(1e-12), losses));
  EXPECT_THAT(rows, Pointwise(testing::FloatNear(1e-6F), gradient));
}

TEST(LogisticRegression, EvaluationIsTheMeanOverTheClientsAndItsGradientTheDerivative) {
  const LogisticRegression problem(small_regression(), 5);
  const Parameters start = problem.initial_parameters();
  std::vector<float> theta(start.values().begin(), start.values().end());
  std::vector<double> mean(2);
  for (int client = 0; client < 3; ++client) {
    const std::vector<double> own = problem.oracle(client)->local_losses(theta);
    for (std::size_t k = 0; k < 2; ++k) mean[k] += own[k] / 3;
  }
  EXPECT_THAT(losses_of(problem, theta), Pointwise(DoubleNear(1e-12), mean));
  const std::vector<float> exact = problem.exact_jacobian(theta);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const float middle = theta[j], step = 1.0F / 256;
    theta[j] = middle + step;
    const std::vector<double> above = losses_of(problem, theta);
    theta[j] = middle - step;
    const std::vector<double> below = losses_of(problem, theta);
    theta[j] = middle;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR((above[k] - below[k]) / (2 * step), exact[k * theta.size() + j], 1e-5);
  }
}

TEST(LogisticRegression, AnEpochsMinibatchesMeetItsSamplesOnce) {
  LogisticRegressionOptions options = small_regression();
  options.batch_size = 10;  // three minibatches of the 30 samples
  const LogisticRegression problem(options, 5);
  const Parameters start = problem.initial_parameters();
  std::vector<double> mean(2), losses(2);
  std::vector<float> rows(8);
  for (const std::int64_t step : {3, 4, 5}) {
    problem.oracle(2)->jacobian(start.values(), {Random({1, 0, 0}, "test"), step}, losses, rows);
    for (std::size_t k = 0; k < 2; ++k) mean[k] += losses[k] / 3;
  }
  EXPECT_THAT(mean, Pointwise(DoubleNear(1e-12), problem.oracle(2)->local_losses(start.values())));
}

TEST(LogisticRegression, GradientsStayBoundedFarAway) {
  const LogisticRegression problem(small_regression(), 1);
  const WrittenSamples samples = written_samples(small_regression(), 1, 0);
  double bound = 0;
  for (const double feature : samples.features) bound = std::max(bound, std::abs(feature));
  for (const float scale : {1e6F, 1e30F}) {
    const std::vector<float> theta(4, scale);
    std::vector<double> losses(2);
    std::vector<float> rows(8);
    problem.oracle(0)->jacobian(theta, {Random({1, 0, 0}, "test"), 0}, losses, rows);
    EXPECT_THAT(losses, Each(testing::Truly([](double x) { return std::isfinite(x) && x > 0; })));
    EXPECT_THAT(rows, Each(testing::Truly([&](float x) { return std::abs(static_cast<double>(x)) <= bound; })));
  }
}

TEST(LogisticRegression, LabelsFollowTheirObjectivesWeights) {
  const LogisticRegressionOptions options = {
      .clients = 4, .objectives = 2, .dimension = 5, .samples_per_client = 400, .batch_size = 400, .heterogeneity = 0};
  const LogisticRegression problem(options, 2);
  // Steps of gradient descent on one objective alone find weights that predict its labels, and not the other's.
  for (const std::size_t k : {0U, 1U}) {
    std::vector<float> theta(5);
    for (int step = 0; step < 300; ++step) {
      const std::vector<float> jacobian = problem.exact_jacobian(theta);
      for (std::size_t j = 0; j < 5; ++j) theta[j] -= 2 * jacobian[5 * k + j];
    }
    const std::vector<double> losses = losses_of(problem, theta);
    EXPECT_LT(losses[k], 0.9 * std::log(2.0));
    EXPECT_GT(losses[1 - k], losses[k]);
  }
}

TEST(LogisticRegression, HeterogeneityMovesTheClientsFeatures) {
  const auto mean_feature = [](double heterogeneity, int client) {
    LogisticRegressionOptions options = small_regression(heterogeneity);
    options.samples_per_client = 2000;
    const WrittenSamples samples = written_samples(options, 4, client);
    double sum = 0;
    for (std::size_t n = 0; n < 2000; ++n) sum += samples.features[4 * n + 3];
    return sum / 2000;
  };
  const double deviation = std::pow(4, -0.6) / std::sqrt(2000);
  EXPECT_LT(std::abs(mean_feature(0, 0)), 4 * deviation);
  EXPECT_GT(std::abs(mean_feature(5, 0) - mean_feature(5, 1)), 20 * deviation);
}

/// The largest eigenvalue of the mean of x x^T, by power iteration.
double largest_curvature(const std::vector<double>& features, std::size_t d) {
  std::vector<double> direction(d, 1);
  double length = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> next(d);
    for (std::size_t n = 0; n < features.size(); n += d) {
      const double along = std::inner_product(direction.begin(), direction.end(), features.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
      for (std::size_t j = 0; j < d; ++j)
        next[j] += along * features[n + j] * static_cast<double>(d) / static_cast<double>(features.size());
    }
    length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    for (std::size_t j = 0; j < d; ++j) direction[j] = next[j] / length;
  }
  return length;
}

TEST(LogisticRegression, TheTheorysPresetKnowsItsSmoothness) {
  const std::string preset = read_file(source_path() + "/experiments/fedcmoo/fedcmoo_theory-logistic.toml");
  ASSERT_THAT(preset, testing::HasSubstr("smoothness = 2.5"));
  ASSERT_THAT(preset, testing::HasSubstr("clients = 20\nobjectives = 3\ndimension = 20\n"));
  const LogisticRegressionOptions options{.objectives = 3};
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (int client = 0; client < 20; ++client) {
      largest = std::max(largest, largest_curvature(written_samples(options, seed, client).features, 20) / 4);
    }
  }
  EXPECT_LT(largest, 2.5);
  EXPECT_GT(largest, 1.0);
}

TEST(LogisticRegression, RefusesLabelsThatAreNone) {
  const std::filesystem::path folder = empty_folder("logistic_part");
  const LogisticRegression problem(small_regression(), 1);
  problem.write_part(0, folder);
  WrittenSamples samples = written_samples(small_regression(), 1, 0);
  samples.labels[7] = 0;
  const std::vector<NumberArray> arrays{{.name = "features", .shape = {30, 4}, .values = samples.features},
                                        {.name = "labels", .shape = {30, 2}, .values = samples.labels}};
  write_numbers(folder / "samples.json", arrays);
  EXPECT_THAT(
      [&] {
        LogisticRegression(small_regression(), 1, ProblemPart{folder, 0});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("samples.json: labels: expected -1 or 1, found 0")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace paretofl
