#include "paretofl/workloads/molecule_regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/local/local_training.h"
#include "tests/molecules/sample_molecules.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

/// Chains of 1 to 5 hydrogens, and two targets: their number and its square, in units of their own.
MoleculeDataset chains(int count) {
  MoleculeDataset dataset{.objectives = {{"length", "A"}, {"square", ""}}, .molecules = {}, .targets = {{}, {}}};
  for (int n = 0; n < count; ++n) {
    const int atoms = 1 + n % 5;
    Molecule chain = molecule({});
    for (int i = 0; i < atoms; ++i) chain.atoms.push_back(atom("H", {1.5 * i, 0, 0}));
    dataset.molecules.push_back(chain);
    dataset.targets[0].push_back(10 * atoms);
    dataset.targets[1].push_back(atoms * atoms);
  }
  return dataset;
}

constexpr MoleculeRegressionOptions options() {
  MoleculeRegressionOptions options;
  options.clients = 3;
  options.samples_per_client = 10;
  options.batch_size = 4;
  options.validation_samples = 7;
  options.test_samples = 13;
  return options;
}

// All parameters zero: every output is zero, the mean of the scaled targets.
TEST(MoleculeRegression, TheConstantPredictorHasLossOneAndTheMeanDeviationAsError) {
  MoleculeRegressionOptions all = options();
  all.clients = all.samples_per_client = 1;
  all.validation_samples = 0;
  all.test_samples = 99;
  const MoleculeRegression problem(all, chains(100), 1);
  ThreadPool pool(2);
  const Evaluation found = problem.evaluate(std::vector<float>(problem.layout()->size()), Split::kTest, pool);
  EXPECT_THAT(found.per_objective.at("loss"), Pointwise(DoubleNear(0.03), {1.0, 1.0}));
  EXPECT_THAT(found.per_objective.at("mae"), Pointwise(DoubleNear(0.3), {12.0, 7.6}));
  EXPECT_FALSE(problem.has_split(Split::kValidation));
}

// Trained on one molecule and tested on the other 99: the mean of (t - t0)^2 over all 100 is 1 + t0^2, the scaled targets
// having mean 0 and deviation 1, and the one trained on adds 0 to it.
TEST(MoleculeRegression, TheConstantPredictorIsTheTrainingMoleculesMean) {
  MoleculeRegressionOptions one = options();
  one.clients = one.samples_per_client = 1;
  one.validation_samples = 0;
  one.test_samples = 99;
  const auto losses = MoleculeRegression(one, chains(100), 1).constant_predictor().at("loss");
  int matching = 0;
  for (int atoms = 1; atoms <= 5; ++atoms) {
    const double length = (atoms - 3) / std::sqrt(2.0);
    const double square = (atoms * atoms - 11) / std::sqrt(74.8);  // 1, 4, 9, 16, 25 have mean 11 and variance 74.8
    const auto loss = [](double t0) { return (1 + t0 * t0) * 100 / 99; };
    matching += std::abs(losses[0] - loss(length)) < 1e-5 && std::abs(losses[1] - loss(square)) < 1e-5 ? 1 : 0;
  }
  EXPECT_EQ(matching, 1) << losses[0] << ", " << losses[1];
}

TEST(MoleculeRegression, ClientsTestAndValidationShareNoMolecule) {
  const MoleculeRegression problem(options(), chains(50), 1);
  EXPECT_EQ(problem.num_clients(), 3);
  EXPECT_EQ(problem.oracle(2)->num_samples(), 10);
  EXPECT_THAT(problem.objective_names(), testing::ElementsAre("length", "square"));
  EXPECT_TRUE(problem.has_split(Split::kValidation));
  EXPECT_THAT([] { MoleculeRegression(options(), chains(49), 1); },
              ThrowsMessage<Error>(HasSubstr("expected test_samples + validation_samples + clients * samples_per_client of at most 49")));
}

TEST(MoleculeRegression, ATargetThatDoesNotVaryIsAnError) {
  MoleculeDataset dataset = chains(50);
  std::fill(dataset.targets[1].begin(), dataset.targets[1].end(), 3);
  EXPECT_THAT([&] { MoleculeRegression(options(), dataset, 1); },
              ThrowsMessage<Error>(HasSubstr("expected a target that varies, found square")));
}

TEST(MoleculeRegression, AModelForImagesIsRefusedByItsSetting) {
  MoleculeRegressionOptions images = options();
  images.model = "lenet";
  EXPECT_THAT([&] { MoleculeRegression(images, chains(50), 1); },
              ThrowsMessage<Error>(testing::StartsWith("workload.model: expected objectives with labels of one byte for lenet, found ")));
}

TEST(MoleculeRegression, TargetsAreBounded) {
  MoleculeDataset dataset = chains(50);
  dataset.molecules[7].name = "dsgdb9nsd_000008";
  dataset.targets[1][7] = 1e200;
  EXPECT_THAT([&] { MoleculeRegression(options(), dataset, 1); },
              ThrowsMessage<Error>(HasSubstr("expected targets of at most 1e+30 in size, found 1e+200 as square of dsgdb9nsd_000008")));
  dataset.targets[1][7] = 1e30;
  EXPECT_NO_THROW(MoleculeRegression(options(), dataset, 1));
}

TEST(MoleculeRegression, ScalesAreFinitePositiveAndOfFullPrecision) {
  const auto refusal = [](const char* key, double value) {
    nlohmann::json statistics = MoleculeRegression(options(), chains(50), 1).statistics();
    statistics["targets"][1][key] = value;
    try {
      MoleculeRegression(options(), chains(50), 1, &statistics);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal("mean", 0), "none");
  EXPECT_THAT(refusal("mean", 1e31), HasSubstr("mean: expected a number of at most 1e+30 in size, found 1e+31"));
  for (const double deviation : {0.0, -1.0, 1e-310}) {
    EXPECT_THAT(refusal("deviation", deviation), HasSubstr("deviation: expected a positive number, neither denormal nor infinite, found "));
  }
  EXPECT_THAT(refusal("deviation", 1e-300), HasSubstr("expected targets that float32 holds when scaled, found "));
}

// The same molecules are dealt, since there are as many, but targets of those that nobody uses are others.
TEST(MoleculeRegression, OtherMoleculesAreScaledByTheStatisticsOfTheTraining) {
  const MoleculeRegression trained(options(), chains(100), 1);
  MoleculeDataset others = chains(100);
  std::vector<std::uint32_t> dealt(100);
  std::iota(dealt.begin(), dealt.end(), 0U);
  Random({1, 0, kServerStream}, "molecules").shuffle(std::span(dealt));
  for (const std::uint32_t n : std::span(dealt).subspan(50)) others.targets[0][n] *= 100;
  const nlohmann::json statistics = trained.statistics();
  const MoleculeRegression evaluated(options(), others, 1, &statistics);
  EXPECT_EQ(evaluated.statistics(), statistics);
  EXPECT_NE(MoleculeRegression(options(), others, 1).statistics(), statistics);
  ThreadPool pool(1);
  const Parameters theta = trained.initial_parameters();
  EXPECT_EQ(evaluated.evaluate(theta.values(), Split::kTest, pool).per_objective,
            trained.evaluate(theta.values(), Split::kTest, pool).per_objective);
  EXPECT_THAT(
      [&] {
        MoleculeRegression(options(), others, 1,
                           std::make_unique<nlohmann::json>(nlohmann::json{{"targets", {statistics["targets"][0]}}}).get());
      },
      ThrowsMessage<Error>(HasSubstr("the statistics of the training data: targets: expected one for each of 2 objectives, found 1")));
}

// The number of atoms is there to be read.
TEST(MoleculeRegression, Learns) {
  const MoleculeRegression problem(options(), chains(50), 1);
  ThreadPool pool(1);
  const Parameters start = problem.initial_parameters();
  const LocalUpdate found = train_locally({.local_steps = 60, .client_lr = 0.003, .optimizer = "adam"}, *problem.oracle(0), start.values(),
                                          std::vector<double>{0.5, 0.5}, Random({.seed = 1}, "draws"));
  std::vector<float> theta(start.values().begin(), start.values().end());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= found.update[i];
  const Evaluation learned = problem.evaluate(theta, Split::kTest, pool);
  for (const double loss : learned.per_objective.at("loss")) EXPECT_LT(loss, 0.2);
}

}  // namespace
}  // namespace paretofl
