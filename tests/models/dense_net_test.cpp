#include "paretofl/models/dense_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "tests/models/draws.h"

namespace paretofl {
namespace {

/// What the network computes, row by row in double precision.
std::vector<double> expected_outputs(const DenseShape& shape, std::span<const float> theta, std::span<const float> inputs) {
  std::vector<double> outputs;
  for (std::size_t row = 0; row < inputs.size() / shape.inputs(); ++row) {
    std::vector<double> x(inputs.begin() + static_cast<std::ptrdiff_t>(row * shape.inputs()),
                          inputs.begin() + static_cast<std::ptrdiff_t>((row + 1) * shape.inputs()));
    std::size_t at = 0;
    for (std::size_t l = 1; l < shape.widths.size(); ++l) {
      std::vector<double> y(shape.widths[l]);
      for (std::size_t o = 0; o < y.size(); ++o) {
        for (std::size_t i = 0; i < x.size(); ++i) y[o] += theta[at + o * x.size() + i] * x[i];
        y[o] += theta[at + y.size() * x.size() + o];
        if (l + 1 < shape.widths.size()) {
          y[o] = std::max(y[o], 0.0);
        } else if (shape.tanh_output) {
          y[o] = std::tanh(y[o]);
        }
      }
      at += y.size() * (x.size() + 1);
      x = std::move(y);
    }
    outputs.insert(outputs.end(), x.begin(), x.end());
  }
  return outputs;
}

class EveryDenseNet : public testing::TestWithParam<DenseShape> {};

TEST_P(EveryDenseNet, ComputesItsLayers) {
  const DenseShape& shape = GetParam();
  DenseNet network(shape);
  const std::vector<float> theta = draws(shape.num_parameters(), "theta");
  for (const std::size_t n : {7, 1, 20, 130}) {
    const std::vector<float> inputs = draws(n * shape.inputs(), "inputs");
    const auto outputs = network.forward(theta, inputs, n);
    const std::vector<double> expected = expected_outputs(shape, theta, inputs);
    ASSERT_EQ(outputs.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(outputs[i], expected[i], 1e-5) << n;
    const auto one = network.forward_one(theta, std::span(inputs).first(shape.inputs()));
    ASSERT_EQ(one.size(), shape.outputs());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], expected[i], 1e-5);
  }
}

/// Parameters with which no input activates two of three hidden units.
std::vector<float> with_silent_units(const DenseShape& shape, std::vector<float> theta) {
  std::size_t at = 0;
  for (std::size_t l = 1; l < shape.widths.size(); ++l) {
    at += shape.widths[l] * shape.widths[l - 1];
    for (std::size_t o = 0; o < shape.widths[l]; ++o, ++at) {
      if (l + 1 < shape.widths.size() && o % 3 != 1) theta[at] = -100;
    }
  }
  return theta;
}

/// Central differences of sum_i c_i output_i, in double precision.
void expect_gradients_of_outputs(const DenseShape& shape, DenseNet& network, const std::vector<float>& theta) {
  const std::size_t n = 2 * kLanes + 5;
  const std::vector<float> inputs = draws(n * shape.inputs(), "inputs");
  const std::vector<float> weights = draws(n * shape.outputs(), "weights");
  network.forward(theta, inputs, n);
  std::vector<float> gradient(theta.size(), 7);  // what was there before is written over
  std::vector<float> input_gradient(inputs.size(), 7);
  network.backward(theta, weights, gradient, input_gradient);
  const auto total = [&](const std::vector<float>& parameters, const std::vector<float>& x) {
    double sum = 0;
    const std::vector<double> outputs = expected_outputs(shape, parameters, x);
    for (std::size_t i = 0; i < outputs.size(); ++i) sum += weights[i] * outputs[i];
    return sum;
  };
  const auto check = [&](const std::vector<float>& at, std::span<const float> found, const auto& value) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      std::vector<float> up = at;
      std::vector<float> down = at;
      up[i] += 1e-4F;
      down[i] -= 1e-4F;
      EXPECT_NEAR(found[i], (value(up) - value(down)) / (static_cast<double>(up[i]) - down[i]), 1e-2) << i;
    }
  };
  check(theta, gradient, [&](const std::vector<float>& x) { return total(x, inputs); });
  check(inputs, input_gradient, [&](const std::vector<float>& x) { return total(theta, x); });

  std::vector<float> alone(inputs.size());
  network.backward(theta, weights, {}, alone);
  EXPECT_EQ(alone, input_gradient);
}

TEST_P(EveryDenseNet, HasTheGradientsOfItsOutputs) {
  const DenseShape& shape = GetParam();
  DenseNet network(shape);
  const std::vector<float> theta = draws(shape.num_parameters(), "theta");
  expect_gradients_of_outputs(shape, network, theta);
  expect_gradients_of_outputs(shape, network, with_silent_units(shape, theta));
  expect_gradients_of_outputs(shape, network, theta);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryDenseNet,
                         testing::Values(DenseShape{{3, 4}, false}, DenseShape{{2, 16, 9, 3}, false}, DenseShape{{5, 8, 2}, true},
                                         DenseShape{{19, 37, 3}, false}));

TEST(DenseNet, ComputesTheSameBitsWhereverNumbersLie) {
  const DenseShape shape{.widths = {7, 8, 6}};
  const std::vector<float> theta = draws(shape.num_parameters(), "theta");
  for (std::size_t n = 1; n <= 8; ++n) {
    const std::vector<float> inputs = draws(n * shape.inputs(), "inputs");
    const std::vector<float> weights = draws(n * shape.outputs(), "weights");
    std::vector<float> gradients;  // of theta and inputs, and the one row's outputs, of the first place
    for (std::size_t place = 0; place < 16; ++place) {
      DenseNet network(shape);
      network.forward(theta, inputs, n);
      std::vector<float> room(place + theta.size() + inputs.size());
      const auto gradient = std::span(room).subspan(place, theta.size());
      const auto input_gradient = std::span(room).subspan(place + theta.size());
      network.backward(theta, weights, gradient, input_gradient);
      std::vector<float> parameters(place + theta.size());
      std::copy(theta.begin(), theta.end(), parameters.begin() + static_cast<std::ptrdiff_t>(place));
      const auto one = network.forward_one(std::span(parameters).subspan(place), std::span(inputs).first(shape.inputs()));
      room.insert(room.end(), one.begin(), one.end());
      room.erase(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(place));
      if (place == 0) gradients = room;
      EXPECT_EQ(room, gradients) << n << " rows at " << place;
    }
  }
}

TEST(DenseNet, NamesItsSlices) {
  const DenseShape shape{.widths = {3, 4, 2}};
  const Layout layout(dense_slices(shape, "q"));
  EXPECT_EQ(layout.size(), shape.num_parameters());
  EXPECT_EQ(layout.slice("q.0.weight").shape, (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(layout.slice("q.1.bias").shape, (std::vector<std::int64_t>{2}));
}

TEST(DenseNet, RejectsOtherSizes) {
  EXPECT_THROW(DenseNet({.widths = {3}}), Error);
  EXPECT_THROW(DenseNet({.widths = {3, 0, 1}}), Error);
  DenseNet network({.widths = {3, 2}});
  EXPECT_THROW(network.forward(std::vector<float>(7), std::vector<float>(3), 1), Error);
  EXPECT_THROW(network.forward(std::vector<float>(8), std::vector<float>(4), 1), Error);
  EXPECT_THROW(network.forward(std::vector<float>(8), {}, 0), Error);
  EXPECT_THROW(network.forward_one(std::vector<float>(8), std::vector<float>(4)), Error);
  std::vector<float> gradient(7);
  EXPECT_THROW(network.backward(std::vector<float>(8), {}, {}), Error);  // before any forward pass
  network.forward(std::vector<float>(8), std::vector<float>(3), 1);
  EXPECT_THROW(network.backward(std::vector<float>(8), std::vector<float>(2), gradient), Error);
}

}  // namespace
}  // namespace paretofl
