// The models at the paper's setting, batch 128, on one thread, beside the machine's rate in matrix products:
//   OPENBLAS_NUM_THREADS=1 models_benchmark
// `gflops` counts the arithmetic of a step's convolutions and matrix products alone: forward, and backward to
// everything but the images; of the models with Winograd's filtering too, which do less. Both rates are per second of processor time.
#include <benchmark/benchmark.h>

#include "benchmarks/matrix_product_rate.h"
#include "paretofl/models/registry.h"
#include "paretofl/privacy/discrete_gaussian.h"

namespace paretofl {
namespace {

constexpr std::size_t kBatch = 128;

struct Case {
  const char* model;
  std::size_t inputs;  // numbers of an image
  std::vector<Head> heads;
  double step_gflop;  // arithmetic of one weighted_gradient
};

const Case kLenet{"lenet", 28 * 28, std::vector<Head>(2), 0.211};
const Case kLenetWinograd{"lenet_winograd", 28 * 28, std::vector<Head>(2), 0.211};
const Case kLenetTorch{"lenet_torch", 28 * 28, std::vector<Head>(2), 0.211};
const Case kSmallCnn{"small_cnn", 3 * 32 * 32, std::vector<Head>(40, {.outputs = 2, .loss = Loss::kNll}), 1.0};
const Case kSmallCnnWinograd{"small_cnn_winograd", 3 * 32 * 32, kSmallCnn.heads, 1.0};
const Case kSmallCnnTorch{"small_cnn_torch", 3 * 32 * 32, kSmallCnn.heads, 1.0};
const Case kCifarCnn{"cifar_cnn", 3 * 32 * 32, std::vector<Head>(2), 9.5};

const Case kResnet{"resnet18", 3 * 32 * 32, std::vector<Head>(5, {.outputs = 8, .loss = Loss::kBinary}), 426};

// A model with parameters, a batch of noise and room for every result.
struct Setup {
  explicit Setup(const Case& problem) : model(make_model(problem.model, problem.heads)), inputs(kBatch * problem.inputs) {
    model->initialize(dropout, parameters);
    for (float& x : inputs) x = static_cast<float>(dropout.normal());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<std::uint8_t>(dropout.below(problem.heads[i / kBatch].label_values()));
    }
  }

  std::unique_ptr<Model> model;
  std::size_t objectives = static_cast<std::size_t>(model->num_objectives());
  Random dropout{{.seed = 1}, "benchmark"};
  std::vector<float> parameters = std::vector<float>(model->layout()->size());
  std::vector<float> inputs;
  std::vector<std::uint8_t> labels = std::vector<std::uint8_t>(objectives * kBatch);
  Batch batch{.size = kBatch, .inputs = inputs, .labels = labels};
  std::vector<double> lambda = std::vector<double>(objectives, 1 / static_cast<double>(objectives));
  std::vector<double> losses = std::vector<double>(objectives);
  std::vector<float> gradient = std::vector<float>(parameters.size());
  std::vector<float> jacobian = std::vector<float>(objectives * parameters.size());
  std::vector<double> correct = std::vector<double>(objectives);
};

void weighted_gradient(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  const double rate = matrix_product_rate();
  for (auto _ : state) s.model->weighted_gradient(s.parameters, s.batch, s.lambda, s.dropout, s.losses, s.gradient);
  state.counters["gflops"] = benchmark::Counter(problem.step_gflop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["matrix_product_gflops"] = (rate + matrix_product_rate()) / 2;
}

void jacobian(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  for (auto _ : state) s.model->jacobian(s.parameters, s.batch, s.dropout, s.losses, s.jacobian);
}

void objective_gradient(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  for (auto _ : state) s.model->objective_gradient(s.parameters, s.batch, 0, s.dropout, s.gradient);
}

/// weighted_gradient with each sample's gradient clipped, as privacy.example_clip asks for.
void clipped_gradient(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  const GradientTerms terms = GradientTerms::weighted(s.lambda);
  std::vector<double> sum(s.parameters.size());
  for (auto _ : state) s.model->add_clipped_gradients(s.parameters, s.batch, terms, s.dropout, {1, 10, s.losses, sum});
}

/// The noise of such a gradient.
void noise(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  DiscreteGaussian draw(1e9, Secret());
  for (auto _ : state) {
    for (float& x : s.gradient) x = static_cast<float>(draw());
    benchmark::DoNotOptimize(s.gradient.data());
  }
}

void evaluate(benchmark::State& state, const Case& problem) {
  Setup s(problem);
  for (auto _ : state) s.model->evaluate(s.parameters, s.batch, s.losses, s.correct);
}

const bool kRegistered = [] {
  for (const Case* problem : {&kLenet, &kLenetWinograd, &kLenetTorch, &kSmallCnn, &kSmallCnnWinograd, &kSmallCnnTorch, &kCifarCnn}) {
    const std::string name = problem->model;
    const auto add = [&](const char* call, void (*run)(benchmark::State&, const Case&)) {
      benchmark::RegisterBenchmark((std::string(call) + "/" + name).c_str(), run, *problem)->Unit(benchmark::kMillisecond);
    };
    add("weighted_gradient", weighted_gradient);
    add("jacobian", jacobian);
    add("objective_gradient", objective_gradient);
    add("evaluate", evaluate);
    if (make_model(problem->model, problem->heads)->clips_samples()) {
      add("clipped_gradient", clipped_gradient);
      add("noise", noise);
    }
  }
  benchmark::RegisterBenchmark("weighted_gradient/resnet18", weighted_gradient, kResnet)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace paretofl
