#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/models/registry.h"
#include "tests/models/random_molecules.h"

namespace paretofl {
namespace {

using testing::Each;

constexpr int kObjectives = 2;

// A model, samples for it, and what to train it with for how long.
struct ModelCase {
  std::string model;
  std::string losses;
  std::vector<Head> heads;
  std::size_t channels = 1;
  std::size_t side = 28;
  std::size_t samples = 20;
  std::size_t gradient_samples = 64;
  std::size_t training_set = 256;
  std::size_t steps = 320;
  float rate = 0.1F;
  double loss_left = 0.25;  // after them, of the loss before

  std::size_t inputs() const { return channels * side * side; }
  bool molecules() const { return model == "mpnn"; }
  RandomBatch batch(std::size_t size, std::uint64_t seed = 1) const {
    return molecules() ? RandomMolecules(size, heads, 5, seed) : RandomBatch(size, heads, inputs(), seed);
  }
};

std::vector<ModelCase> model_cases() {
  const Head classes{.outputs = 10, .loss = Loss::kNll}, squares{.outputs = 10, .loss = Loss::kL2};
  const Head bits{.outputs = 2, .loss = Loss::kBinary};
  std::vector<ModelCase> list;
  for (const RegistryEntry* entry : models().entries()) {
    if (entry->name == "mpnn") {
      const Head number{.outputs = 1, .loss = Loss::kSquaredError};
      list.push_back({.model = entry->name, .losses = "squared_error", .heads = {number, number}, .gradient_samples = 8});
      continue;
    }
    ModelCase problem{.model = entry->name, .losses = "nll", .heads = {classes, classes}};
    const bool digits = entry->name.starts_with("lenet");
    if (!digits) {
      problem.channels = 3, problem.side = 32;
      problem.gradient_samples = 16, problem.training_set = 64, problem.steps = 40, problem.loss_left = 0.9;
    }
    if (entry->name == "resnet18")
      problem.gradient_samples = problem.samples = 2, problem.training_set = 8, problem.steps = 8, problem.rate = 0.005F;
    list.push_back(problem);
    if (entry->name == "resnet18") continue;
    problem.losses = "l2", problem.heads = {squares, classes};
    list.push_back(problem);
    if (digits) continue;
    problem.losses = "binary", problem.heads = {bits, bits};
    list.push_back(problem);
  }
  return list;
}

// What every registered model owes its callers.
class ModelConformance : public testing::TestWithParam<ModelCase> {
 protected:
  const ModelCase& case_ = GetParam();
  const std::vector<Head>& heads_ = case_.heads;
  const std::unique_ptr<Model> model_ = make_model(case_.model, heads_);
  const std::vector<float> parameters_ = initial_parameters(*model_);
  const std::size_t d_ = parameters_.size();
  const RandomBatch batch_ = case_.batch(case_.samples);
  const std::vector<double> lambda_ = {0.3, 0.7};
  std::vector<double> losses_ = std::vector<double>(kObjectives);
  std::vector<float> gradient_ = std::vector<float>(d_);
  std::vector<float> jacobian_ = std::vector<float>(kObjectives * d_);
  std::vector<double> correct_ = std::vector<double>(kObjectives);

  // The batch cut short somewhere.
  Batch batch_with(std::size_t size, std::size_t labels) const {
    const Batch good = batch_.view();
    return {.size = size,
            .inputs = good.inputs,
            .labels = good.labels.first(std::min(labels, good.labels.size())),
            .targets = good.targets.first(std::min(labels, good.targets.size()))};
  }

  std::span<const float> row(std::size_t k) const { return std::span(jacobian_).subspan(k * d_, d_); }

  double weighted_loss(const std::vector<float>& parameters) {
    std::vector<float> unused(d_);
    model_->weighted_gradient(parameters, batch_.view(), lambda_, dropout_stream(), losses_, unused);
    return std::inner_product(lambda_.begin(), lambda_.end(), losses_.begin(), 0.0);
  }
};

TEST_P(ModelConformance, WeightedGradientIsLambdaTimesJacobian) {
  std::vector<double> weighted_losses(kObjectives);
  model_->jacobian(parameters_, batch_.view(), dropout_stream(), losses_, jacobian_);
  model_->weighted_gradient(parameters_, batch_.view(), lambda_, dropout_stream(), weighted_losses, gradient_);
  EXPECT_EQ(losses_, weighted_losses);
  for (std::size_t i = 0; i < d_; ++i) {
    ASSERT_NEAR(lambda_[0] * static_cast<double>(row(0)[i]) + lambda_[1] * static_cast<double>(row(1)[i]), gradient_[i], 1e-6) << i;
  }
}

TEST_P(ModelConformance, ObjectiveGradientIsARowOfTheJacobian) {
  model_->jacobian(parameters_, batch_.view(), dropout_stream(), losses_, jacobian_);
  for (int k = 0; k < kObjectives; ++k) {
    std::fill(gradient_.begin(), gradient_.end(), 9.0F);
    EXPECT_NEAR(model_->objective_gradient(parameters_, batch_.view(), k, dropout_stream(), gradient_),
                losses_[static_cast<std::size_t>(k)], 1e-7);
    // A library's products of other shapes add in another order.
    float largest = 0;
    for (const float g : gradient_) largest = std::max(largest, std::abs(g));
    const double tolerance = 1e-7 + 1e-5 * largest;
    for (std::size_t i = 0; i < d_; ++i) ASSERT_NEAR(row(static_cast<std::size_t>(k))[i], gradient_[i], tolerance) << i;
    const Range other = model_->layout()->head(1 - k);
    ASSERT_GT(other.size(), 0U);
    EXPECT_THAT(std::span(gradient_).subspan(other.begin, other.size()), Each(0.0F));
  }
}

// Along its own direction the gradient of every slice must be what the loss really does. The images are
// faint and the biases large, so that steps hardly ever cross a kink of a ReLU; where features are normalized, that
// doesn't keep them from it, and the tolerance is wider.
TEST_P(ModelConformance, GradientMatchesCentralDifferences) {
  const bool normalized = case_.model == "resnet18";
  RandomBatch faint = case_.batch(case_.gradient_samples);
  if (!normalized && !case_.molecules()) {
    for (float& x : faint.inputs()) x *= 0.1F;
  }
  std::vector<float> parameters = parameters_;
  for (const Slice& slice : model_->layout()->slices()) {
    if (normalized || slice.shape.size() > 1) continue;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) parameters[i] += 0.5F;
  }
  const auto loss = [&](const std::vector<float>& at) {
    std::vector<float> unused(d_);
    model_->weighted_gradient(at, faint.view(), lambda_, dropout_stream(), losses_, unused);
    return std::inner_product(lambda_.begin(), lambda_.end(), losses_.begin(), 0.0);
  };
  model_->weighted_gradient(parameters, faint.view(), lambda_, dropout_stream(), losses_, gradient_);
  for (const Slice& slice : model_->layout()->slices()) {
    double norm = 0;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i)
      norm += static_cast<double>(gradient_[i]) * static_cast<double>(gradient_[i]);
    norm = std::sqrt(norm);
    const double step = 1e-3 / norm;
    std::vector<float> ahead = parameters;
    std::vector<float> behind = parameters;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) {
      ahead[i] += static_cast<float>(step) * gradient_[i];
      behind[i] -= static_cast<float>(step) * gradient_[i];
    }
    EXPECT_NEAR((loss(ahead) - loss(behind)) / (2 * step * norm), norm, (normalized ? 0.05 : 0.02) * norm) << slice.name;
  }
}

TEST_P(ModelConformance, RepeatsToTheBitOnAnyThreadAndInstance) {
  model_->jacobian(parameters_, batch_.view(), dropout_stream(), losses_, jacobian_);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const std::unique_ptr<Model> other = make_model(case_.model, heads_);
    std::vector<double> losses(kObjectives);
    std::vector<float> jacobian(jacobian_.size());
    std::thread([&] {
      Model& model = repeat == 0 ? *other : *model_;
      const RandomBatch larger = case_.batch(case_.samples + 13, 8);
      model.evaluate(parameters_, larger.view(), losses, correct_);  // what went before must not matter
      model.jacobian(parameters_, batch_.view(), dropout_stream(), losses, jacobian);
    }).join();
    EXPECT_EQ(losses, losses_);
    EXPECT_EQ(jacobian, jacobian_);
  }
}

TEST_P(ModelConformance, DropoutComesFromTheStream) {
  if (case_.molecules()) return;  // has none
  const double first = weighted_loss(parameters_);
  std::vector<float> unused(d_);
  model_->weighted_gradient(parameters_, batch_.view(), lambda_, dropout_stream().substream("another"), losses_, unused);
  const double second = std::inner_product(lambda_.begin(), lambda_.end(), losses_.begin(), 0.0);
  EXPECT_EQ(first == second, case_.model == "resnet18");  // the one without dropout
}

TEST_P(ModelConformance, EvaluateAddsUp) {
  std::vector<double> sums(kObjectives);
  model_->evaluate(parameters_, batch_.view(), sums, correct_);
  const std::vector<double> once = correct_;
  const std::vector<double> once_sums = sums;
  model_->evaluate(parameters_, batch_.view(), sums, correct_);
  for (std::size_t k = 0; k < kObjectives; ++k) {
    EXPECT_EQ(correct_[k], 2 * once[k]);
    EXPECT_DOUBLE_EQ(sums[k], 2 * once_sums[k]);
    if (case_.molecules()) continue;
    const double uniform = heads_[k].loss == Loss::kL2 ? 0.09 : heads_[k].loss == Loss::kNll ? std::log(10.0) : std::log(2.0);
    EXPECT_NEAR(once_sums[k] / static_cast<double>(case_.samples), uniform, 0.2 * uniform);  // near-uniform predictions at the start
  }
}

TEST_P(ModelConformance, WrongArgumentsThrow) {
  const Batch good = batch_.view();
  const auto gradient_with = [&](std::span<const float> parameters, const Batch& batch, std::span<const double> lambda,
                                 std::span<double> losses, std::span<float> gradient) {
    model_->weighted_gradient(parameters, batch, lambda, dropout_stream(), losses, gradient);
  };
  EXPECT_NO_THROW(gradient_with(parameters_, good, lambda_, losses_, gradient_));
  EXPECT_THROW(gradient_with(std::span(parameters_).first(d_ - 1), good, lambda_, losses_, gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, good, std::span(lambda_).first(1), losses_, gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, good, lambda_, std::span(losses_).first(1), gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, good, lambda_, losses_, std::span(gradient_).first(d_ - 1)), Error);

  const std::size_t n = good.size;
  EXPECT_THROW(gradient_with(parameters_, batch_with(n - 1, 2 * n - 2), lambda_, losses_, gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, batch_with(n, n), lambda_, losses_, gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, {}, lambda_, losses_, gradient_), Error);

  EXPECT_THROW(model_->jacobian(parameters_, good, dropout_stream(), losses_, gradient_), Error);
  EXPECT_THROW(model_->jacobian(parameters_, good, dropout_stream(), std::span(losses_).first(1), jacobian_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, kObjectives, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, -1, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, 0, dropout_stream(), jacobian_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, good, std::span(losses_).first(1), correct_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, good, losses_, std::span(correct_).first(1)), Error);
  EXPECT_THROW(model_->initialize(dropout_stream(), std::span(gradient_).first(d_ - 1)), Error);
  EXPECT_THROW(make_model(case_.model, {}), Error);
}

TEST_P(ModelConformance, ALabelThatIsNoClassThrows) {
  if (!heads_[1].has_labels()) return;
  RandomBatch batch = batch_;
  batch.labels().back() = static_cast<std::uint8_t>(heads_[1].label_values());
  EXPECT_THROW(model_->weighted_gradient(parameters_, batch.view(), lambda_, dropout_stream(), losses_, gradient_), Error);
  EXPECT_THROW(model_->jacobian(parameters_, batch.view(), dropout_stream(), losses_, jacobian_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, batch.view(), 0, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, batch.view(), losses_, correct_), Error);
}

// Whether the label has a bright line at `position`: one for its class, or one for each of its bits.
bool has_line(const Head& head, std::uint8_t label, std::size_t position) {
  if (position < 2 || position > 11) return false;
  return head.loss == Loss::kBinary ? (label >> (position - 2) & 1U) != 0 : label + 2U == position;
}

// Objective 0 is told by bright rows, objective 1 by bright columns.
TEST_P(ModelConformance, LearnsASeparableSet) {
  if (case_.molecules()) return;  // tests/workloads/molecule_regression_test.cpp has molecules to learn
  const std::size_t samples = case_.training_set, batch_size = samples / 4, size = case_.inputs(), side = case_.side;
  RandomBatch set(samples, heads_, size);
  std::vector<float>& inputs = set.inputs();
  const auto label = [&](std::size_t k, std::size_t n) { return set.labels()[k * samples + n]; };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t n = i / size, y = i / side % side, x = i % side;
    const bool bright = has_line(heads_[0], label(0, n), y / 2) || has_line(heads_[1], label(1, n), x / 2);
    inputs[i] = 0.2F * inputs[i] + (bright ? 1.5F : 0.0F);
  }
  std::vector<double> lambda;
  for (const Head& head : heads_) lambda.push_back(head.loss == Loss::kL2 ? 30 : head.loss == Loss::kBinary ? 3 : 1);
  std::vector<float> parameters = parameters_;
  for (std::size_t step = 0; step < case_.steps; ++step) {
    const std::size_t first = step % 4 * batch_size;
    std::vector<std::uint8_t> labels;
    for (std::size_t k = 0; k < kObjectives; ++k) {
      for (std::size_t n = 0; n < batch_size; ++n) labels.push_back(label(k, first + n));
    }
    const Batch batch{.size = batch_size, .inputs = std::span(inputs).subspan(first * size, batch_size * size), .labels = labels};
    model_->weighted_gradient(parameters, batch, lambda, dropout_stream().substream("step", step), losses_, gradient_);
    for (std::size_t i = 0; i < d_; ++i) parameters[i] -= case_.rate * gradient_[i];
  }
  const auto evaluate = [&](const std::vector<float>& at) {
    std::vector<double> sums(kObjectives);
    std::fill(correct_.begin(), correct_.end(), 0.0);
    model_->evaluate(at, set.view(), sums, correct_);
    return sums;
  };
  const std::vector<double> before = evaluate(parameters_), correct_before = correct_, after = evaluate(parameters);
  for (std::size_t k = 0; k < kObjectives; ++k) {
    EXPECT_LT(after[k], case_.loss_left * before[k]) << k;
    EXPECT_GE(correct_[k], correct_before[k]) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ModelConformance, testing::ValuesIn(model_cases()),
                         [](const auto& info) { return info.param.model + "_" + info.param.losses; });

TEST(ModelRegistry, ModelsHaveThePapersNumbersOfParameters) {
  const auto parameters = [](const char* name, std::size_t heads, Head head) {
    return make_model(name, std::vector<Head>(heads, head))->layout()->size();
  };
  EXPECT_EQ(parameters("cifar_cnn", 2, {.outputs = 10, .loss = Loss::kNll}), 1726508U);
  EXPECT_EQ(parameters("resnet18", 40, {.outputs = 2, .loss = Loss::kNll}), 11209872U);
  EXPECT_EQ(parameters("resnet18", 5, {.outputs = 8, .loss = Loss::kBinary}), 11189352U);
}

TEST(ModelRegistry, UnknownNamesListTheKnownOnes) {
  try {
    make_model("alexnet", std::vector<Head>(2));
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("lenet, small_cnn, cifar_cnn, lenet_torch, resnet18"));
  }
}

}  // namespace
}  // namespace paretofl
