#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/models/registry.h"
#include "tests/models/mpnn_reference.h"
#include "tests/models/random_batch.h"
#include "tests/models/random_molecules.h"

namespace paretofl {
namespace {

constexpr std::size_t kMpnnObjectives = 2;
const Head kRegression = {.outputs = 1, .loss = Loss::kSquaredError};
const std::vector<Head> kHeads(kMpnnObjectives, kRegression);

class Mpnn : public testing::Test {
 protected:
  std::vector<double> losses_of(const Batch& batch) {
    std::vector<double> sums(kMpnnObjectives), scores(kMpnnObjectives);
    model_->evaluate(parameters_, batch, sums, scores);
    for (double& sum : sums) sum /= static_cast<double>(batch.size);
    return sums;
  }

  const std::unique_ptr<Model> model_ = make_model("mpnn", kHeads);
  std::vector<float> parameters_ = initial_parameters(*model_);
};

TEST_F(Mpnn, HasTheSizeOfTheExperiment) {
  EXPECT_EQ(make_model("mpnn", std::vector<Head>(11, kRegression))->layout()->size(), 617675U);
  EXPECT_EQ(model_->layout()->shared().size(), 616960U);
}

double reference_loss(const Model& model, const std::vector<double>& theta, const Batch& batch, std::size_t k) {
  const MpnnReference reference(*model.layout(), theta);
  double sum = 0;
  for (std::size_t n = 0; n < batch.size; ++n) {
    const double output = reference.output(batch.inputs.data() + n * kMoleculeNumbers, static_cast<int>(k));
    sum += std::pow(output - static_cast<double>(batch.targets[k * batch.size + n]), 2);
  }
  return sum / static_cast<double>(batch.size);
}

TEST_F(Mpnn, ComputesWhatItsEquationsSay) {
  const RandomMolecules molecules(6, kHeads);
  const std::vector<double> theta(parameters_.begin(), parameters_.end());
  const std::vector<double> losses = losses_of(molecules.view());
  for (std::size_t k = 0; k < kMpnnObjectives; ++k) {
    EXPECT_NEAR(losses[k], reference_loss(*model_, theta, molecules.view(), k), 1e-5 * losses[k]);
  }
}

// The derivative of the double-precision reference along every slice's gradient.
TEST_F(Mpnn, GradientIsThatOfItsEquations) {
  const RandomMolecules molecules(2, kHeads, 3);
  std::vector<float> gradient(parameters_.size());
  model_->objective_gradient(parameters_, molecules.view(), 1, dropout_stream(), gradient);
  for (const Slice& slice : model_->layout()->slices()) {
    double norm = 0;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) norm += std::pow(static_cast<double>(gradient[i]), 2);
    norm = std::sqrt(norm);
    if (slice.head == 0) {
      EXPECT_EQ(norm, 0) << slice.name;
      continue;
    }
    const auto loss_at = [&](double step) {
      std::vector<double> theta(parameters_.begin(), parameters_.end());
      for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) theta[i] += step / norm * static_cast<double>(gradient[i]);
      return reference_loss(*model_, theta, molecules.view(), 1);
    };
    EXPECT_NEAR((loss_at(1e-5) - loss_at(-1e-5)) / 2e-5, norm, 1e-3 * norm) << slice.name;
  }
}

TEST_F(Mpnn, TheOrderOfAtomsDoesNotMatter) {
  RandomMolecules molecules(1, kHeads, 7, 5);
  const std::size_t atoms = molecules.atoms(0);
  ASSERT_GT(atoms, 2U);
  const std::vector<double> before = losses_of(molecules.view());
  std::swap_ranges(molecules.node(0, 0), molecules.node(0, 0) + kAtomNumbers, molecules.node(0, 2));
  for (std::size_t i = 0; i < atoms; ++i) {
    std::swap_ranges(molecules.pair(0, i, 0), molecules.pair(0, i, 0) + kEdgeFeatures, molecules.pair(0, i, 2));
  }
  const std::vector<double> after = losses_of(molecules.view());
  for (std::size_t k = 0; k < kMpnnObjectives; ++k) EXPECT_NEAR(before[k], after[k], 1e-5 * before[k]);
}

TEST_F(Mpnn, AMoleculeDoesNotSeeTheOthersOfItsBatch) {
  const RandomMolecules all(5, kHeads);
  std::vector<double> mean(kMpnnObjectives);
  for (std::size_t n = 0; n < 5; ++n) {
    std::vector<float> targets;
    for (std::size_t k = 0; k < kMpnnObjectives; ++k) targets.push_back(all.view().targets[k * 5 + n]);
    const Batch alone{
        .size = 1, .inputs = all.view().inputs.subspan(n * kMoleculeNumbers, kMoleculeNumbers), .labels = {}, .targets = targets};
    const std::vector<double> losses = losses_of(alone);
    for (std::size_t k = 0; k < kMpnnObjectives; ++k) mean[k] += losses[k] / 5;
  }
  const std::vector<double> together = losses_of(all.view());
  for (std::size_t k = 0; k < kMpnnObjectives; ++k) EXPECT_NEAR(together[k], mean[k], 1e-5 * mean[k]);
}

TEST_F(Mpnn, EvaluationAddsAbsoluteErrors) {
  RandomMolecules molecules(3, kHeads);
  std::fill(parameters_.begin(), parameters_.end(), 0.0F);
  molecules.targets() = {1, -2, 3, 0, 0.5F, 0};
  std::vector<double> sums{10, 10}, scores{20, 20};
  model_->evaluate(parameters_, molecules.view(), sums, scores);
  EXPECT_THAT(sums, testing::ElementsAre(24, 10.25));
  EXPECT_THAT(scores, testing::ElementsAre(26, 20.5));
}

TEST_F(Mpnn, InputsThatAreNoMoleculesAndOtherHeadsThrow) {
  for (const float atoms : {0.0F, 30.0F, 2.5F, -1.0F, std::nanf("")}) {
    RandomMolecules molecules(2, kHeads);
    molecules.inputs()[kMoleculeNumbers] = atoms;
    EXPECT_THROW(losses_of(molecules.view()), Error) << atoms;
  }
  const RandomMolecules molecules(2, kHeads);
  Batch batch = molecules.view();
  batch.targets = batch.targets.first(3);
  EXPECT_THROW(losses_of(batch), Error);
  EXPECT_THROW(make_model("mpnn", {{.outputs = 2, .loss = Loss::kSquaredError}}), Error);
}

}  // namespace
}  // namespace paretofl
