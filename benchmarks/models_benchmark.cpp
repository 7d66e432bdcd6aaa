// Both models at the paper's setting, batch 128 and two objectives, on one thread:
//   OPENBLAS_NUM_THREADS=1 models_benchmark
#include <benchmark/benchmark.h>

#include "paretofl/models/registry.h"

namespace paretofl {
namespace {

constexpr int kObjectives = 2;
constexpr std::size_t kBatch = 128;

// A model with parameters, a batch of noise and room for every result.
struct Setup {
  explicit Setup(const char* name) : model(make_model(name, std::vector<Head>(kObjectives))) {
    model->initialize(dropout, parameters);
    for (float& x : inputs) x = static_cast<float>(dropout.normal());
    for (std::uint8_t& label : labels) label = static_cast<std::uint8_t>(dropout.below(10));
  }

  std::unique_ptr<Model> model;
  Random dropout{{.seed = 1}, "benchmark"};
  std::vector<float> parameters = std::vector<float>(model->layout()->size());
  std::vector<float> inputs = std::vector<float>(kBatch * 28 * 28);
  std::vector<std::uint8_t> labels = std::vector<std::uint8_t>(kObjectives * kBatch);
  Batch batch{.size = kBatch, .inputs = inputs, .labels = labels};
  std::vector<double> lambda = {0.5, 0.5};
  std::vector<double> losses = std::vector<double>(kObjectives);
  std::vector<float> gradient = std::vector<float>(parameters.size());
  std::vector<float> jacobian = std::vector<float>(kObjectives * parameters.size());
  std::vector<double> correct = std::vector<double>(kObjectives);
};

void weighted_gradient(benchmark::State& state, const char* name) {
  Setup s(name);
  for (auto _ : state) s.model->weighted_gradient(s.parameters, s.batch, s.lambda, s.dropout, s.losses, s.gradient);
}

void jacobian(benchmark::State& state, const char* name) {
  Setup s(name);
  for (auto _ : state) s.model->jacobian(s.parameters, s.batch, s.dropout, s.losses, s.jacobian);
}

void objective_gradient(benchmark::State& state, const char* name) {
  Setup s(name);
  for (auto _ : state) s.model->objective_gradient(s.parameters, s.batch, 0, s.dropout, s.gradient);
}

void evaluate(benchmark::State& state, const char* name) {
  Setup s(name);
  for (auto _ : state) s.model->evaluate(s.parameters, s.batch, s.losses, s.correct);
}

BENCHMARK_CAPTURE(weighted_gradient, lenet, "lenet")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(weighted_gradient, lenet_torch, "lenet_torch")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(jacobian, lenet, "lenet")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(jacobian, lenet_torch, "lenet_torch")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(objective_gradient, lenet, "lenet")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(objective_gradient, lenet_torch, "lenet_torch")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, lenet, "lenet")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, lenet_torch, "lenet_torch")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace paretofl
