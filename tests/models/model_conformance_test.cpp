#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/models/registry.h"
#include "tests/models/random_batch.h"

namespace paretofl {
namespace {

using testing::Each;

// What every registered model owes its callers.
class ModelConformance : public testing::TestWithParam<std::tuple<std::string, Loss>> {
 protected:
  static constexpr int kObjectives = 2;

  const std::string& name_ = std::get<0>(GetParam());
  const Loss first_loss_ = std::get<1>(GetParam());
  const std::vector<Head> heads_ = {{.outputs = 10, .loss = first_loss_}, {.outputs = 10, .loss = Loss::kNll}};
  const std::unique_ptr<Model> model_ = make_model(name_, heads_);
  const std::vector<float> parameters_ = initial_parameters(*model_);
  const std::size_t d_ = parameters_.size();
  const RandomBatch batch_{20, kObjectives};
  const std::vector<double> lambda_ = {0.3, 0.7};
  std::vector<double> losses_ = std::vector<double>(kObjectives);
  std::vector<float> gradient_ = std::vector<float>(d_);
  std::vector<float> jacobian_ = std::vector<float>(kObjectives * d_);
  std::vector<double> correct_ = std::vector<double>(kObjectives);

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
                losses_[static_cast<std::size_t>(k)], 1e-12);
    for (std::size_t i = 0; i < d_; ++i) ASSERT_NEAR(row(static_cast<std::size_t>(k))[i], gradient_[i], 1e-7) << i;
    const Range other = model_->layout()->head(1 - k);
    ASSERT_GT(other.size(), 0U);
    EXPECT_THAT(std::span(gradient_).subspan(other.begin, other.size()), Each(0.0F));
  }
}

// Along its own direction the gradient of every slice must be what the loss really does. The images are
// faint and the biases large, so that steps hardly ever cross a kink of a ReLU.
TEST_P(ModelConformance, GradientMatchesCentralDifferences) {
  RandomBatch faint(64, kObjectives);
  for (float& x : faint.inputs()) x *= 0.1F;
  std::vector<float> parameters = parameters_;
  for (const Slice& slice : model_->layout()->slices()) {
    if (slice.shape.size() > 1) continue;
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
    EXPECT_NEAR((loss(ahead) - loss(behind)) / (2 * step * norm), norm, 0.02 * norm) << slice.name;
  }
}

TEST_P(ModelConformance, RepeatsToTheBitOnAnyThreadAndInstance) {
  model_->jacobian(parameters_, batch_.view(), dropout_stream(), losses_, jacobian_);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const std::unique_ptr<Model> other = make_model(name_, heads_);
    std::vector<double> losses(kObjectives);
    std::vector<float> jacobian(jacobian_.size());
    std::thread([&] {
      Model& model = repeat == 0 ? *other : *model_;
      const RandomBatch larger(33, kObjectives, 8);
      model.evaluate(parameters_, larger.view(), losses, correct_);  // what went before must not matter
      model.jacobian(parameters_, batch_.view(), dropout_stream(), losses, jacobian);
    }).join();
    EXPECT_EQ(losses, losses_);
    EXPECT_EQ(jacobian, jacobian_);
  }
}

TEST_P(ModelConformance, DropoutComesFromTheStream) {
  const double first = weighted_loss(parameters_);
  std::vector<float> unused(d_);
  model_->weighted_gradient(parameters_, batch_.view(), lambda_, dropout_stream().substream("another"), losses_, unused);
  EXPECT_NE(first, std::inner_product(lambda_.begin(), lambda_.end(), losses_.begin(), 0.0));
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
    const double uniform = heads_[k].loss == Loss::kL2 ? 0.09 : std::log(10.0);
    EXPECT_NEAR(once_sums[k] / 20, uniform, 0.2 * uniform);  // near-uniform predictions at the start
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

  EXPECT_THROW(
      gradient_with(parameters_, {.size = 19, .inputs = good.inputs, .labels = good.labels.first(38)}, lambda_, losses_, gradient_), Error);
  EXPECT_THROW(
      gradient_with(parameters_, {.size = 20, .inputs = good.inputs, .labels = good.labels.first(20)}, lambda_, losses_, gradient_), Error);
  EXPECT_THROW(gradient_with(parameters_, {}, lambda_, losses_, gradient_), Error);

  EXPECT_THROW(model_->jacobian(parameters_, good, dropout_stream(), losses_, gradient_), Error);
  EXPECT_THROW(model_->jacobian(parameters_, good, dropout_stream(), std::span(losses_).first(1), jacobian_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, kObjectives, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, -1, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, good, 0, dropout_stream(), jacobian_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, good, std::span(losses_).first(1), correct_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, good, losses_, std::span(correct_).first(1)), Error);
  EXPECT_THROW(model_->initialize(dropout_stream(), std::span(gradient_).first(d_ - 1)), Error);
  EXPECT_THROW(make_model(name_, {}), Error);
}

TEST_P(ModelConformance, ALabelThatIsNoClassThrows) {
  RandomBatch batch(20, kObjectives);
  batch.labels()[39] = 10;
  EXPECT_THROW(model_->weighted_gradient(parameters_, batch.view(), lambda_, dropout_stream(), losses_, gradient_), Error);
  EXPECT_THROW(model_->jacobian(parameters_, batch.view(), dropout_stream(), losses_, jacobian_), Error);
  EXPECT_THROW(model_->objective_gradient(parameters_, batch.view(), 0, dropout_stream(), gradient_), Error);
  EXPECT_THROW(model_->evaluate(parameters_, batch.view(), losses_, correct_), Error);
}

// Objective 0 is told by a bright row, objective 1 by a bright column.
TEST_P(ModelConformance, LearnsASeparableSet) {
  constexpr std::size_t kSamples = 256;
  constexpr std::size_t kBatch = 64;
  RandomBatch set(kSamples, kObjectives);
  std::vector<float>& inputs = set.inputs();
  for (std::size_t n = 0; n < kSamples; ++n) {
    for (std::size_t i = 0; i < 784; ++i) {
      const bool bright = i / 28 / 2 == set.labels()[n] + 2U || i % 28 / 2 == set.labels()[kSamples + n] + 2U;
      inputs[n * 784 + i] = 0.2F * inputs[n * 784 + i] + (bright ? 1.5F : 0.0F);
    }
  }
  std::vector<float> parameters = parameters_;
  for (std::size_t step = 0; step < 320; ++step) {
    const std::size_t first = step % (kSamples / kBatch) * kBatch;
    std::vector<std::uint8_t> labels;
    for (std::size_t k = 0; k < kObjectives; ++k) {
      for (std::size_t n = 0; n < kBatch; ++n) labels.push_back(set.labels()[k * kSamples + first + n]);
    }
    const Batch batch{.size = kBatch, .inputs = std::span(inputs).subspan(first * 784, kBatch * 784), .labels = labels};
    const std::vector<double> both = {first_loss_ == Loss::kL2 ? 30.0 : 1.0, 1};
    model_->weighted_gradient(parameters, batch, both, dropout_stream().substream("step", step), losses_, gradient_);
    for (std::size_t i = 0; i < d_; ++i) parameters[i] -= 0.1F * gradient_[i];
  }
  model_->evaluate(parameters, set.view(), losses_, correct_);
  EXPECT_GT(correct_[0], 0.95 * kSamples);
  EXPECT_GT(correct_[1], 0.95 * kSamples);
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const RegistryEntry* entry : models().entries()) list.push_back(entry->name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Models, ModelConformance, testing::Combine(testing::ValuesIn(names()), testing::Values(Loss::kNll, Loss::kL2)),
                         [](const auto& info) { return std::get<0>(info.param) + "_" + std::string(to_text(std::get<1>(info.param))); });

TEST(ModelRegistry, UnknownNamesListTheKnownOnes) {
  try {
    make_model("resnet", std::vector<Head>(2));
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("lenet, lenet_torch"));
  }
}

}  // namespace
}  // namespace paretofl
