#include "paretofl/workloads/image_classification.h"

#include <algorithm>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/models/registry.h"

namespace paretofl {

void ImageClassificationOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("samples_per_client", samples_per_client, 1, kMaxInt, "training images of each client");
  visit.real("dirichlet_alpha", dirichlet_alpha, 1e-6, 1e9, "concentration of each client's draw over joint labels");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "minibatch size; at most samples_per_client is used");
  visit.real("rotation_degrees", rotation_degrees, 0, 180, "training images are rotated by up to this much either way");
  visit.real("validation_fraction", validation_fraction, 0, 0.9, "share of the training images held out for validation");
  visit.text("model", model, "name of the model");
  visit.choice("losses", losses, {"nll", "l2_first"},
               "nll: negative log-likelihood; l2_first: the first objective's squared error of the probabilities instead");
}

struct ImageClassification::Bench {
  std::unique_ptr<Model> model;
  std::vector<std::uint32_t> samples;
  std::vector<float> inputs;
  std::vector<std::uint8_t> labels;

  /// Loads the batch of `samples`; `random` rotates (null: evaluation).
  Batch load(const ImageDataset& data, const Augmentation& augmentation, Random* random) {
    inputs.resize(samples.size() * data.image_size());
    write_inputs(data, samples, augmentation, random, inputs);
    labels.clear();
    for (const auto& of_objective : data.labels) {
      for (const std::uint32_t sample : samples) labels.push_back(of_objective[sample]);
    }
    return {samples.size(), inputs, labels};
  }
};

/// Borrows a bench for a scope.
class ImageClassification::Lease {
 public:
  explicit Lease(const ImageClassification& owner) : owner_(owner) {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!owner_.benches_.empty()) {
        bench_ = std::move(owner_.benches_.back());
        owner_.benches_.pop_back();
        return;
      }
    }
    bench_ = std::make_unique<Bench>();
    bench_->model = make_model(owner_.options_.model, owner_.heads_);
  }
  ~Lease() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.benches_.push_back(std::move(bench_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Bench* operator->() { return bench_.get(); }

 private:
  const ImageClassification& owner_;
  std::unique_ptr<Bench> bench_;
};

ImageClassification::ImageClassification(const ImageClassificationOptions& options, ImageSplits splits, std::uint64_t seed)
    : options_(options), splits_(std::move(splits)), seed_(seed) {
  splits_.augmentation.degrees = options.rotation_degrees;
  splits_.train.check("training images");
  splits_.test.check("test images");
  heads_ = splits_.train.heads;
  if (options.losses == "l2_first") {
    expect(heads_[0].loss == Loss::kNll, "workload.losses: expected nll for objectives of binary attributes, found '{}'", options.losses);
    heads_[0].loss = Loss::kL2;
  }
  const StreamId stream{seed, 0, kServerStream};
  const auto held_out = static_cast<std::size_t>(options.validation_fraction * static_cast<double>(splits_.train.count));
  std::vector<std::uint32_t> order(splits_.train.count);
  std::iota(order.begin(), order.end(), 0U);
  if (held_out > 0) Random(stream, "validation split").shuffle(std::span(order));
  validation_.assign(order.end() - static_cast<std::ptrdiff_t>(held_out), order.end());
  order.resize(order.size() - held_out);

  const std::vector<std::uint32_t> labels = splits_.train.strata.empty() ? joint_labels(splits_.train) : splits_.train.strata;
  std::vector<std::uint32_t> kept_labels;
  for (const std::uint32_t sample : order) kept_labels.push_back(labels[sample]);
  partition_ = dirichlet_partition(kept_labels,
                                   {.clients = static_cast<std::size_t>(options.clients),
                                    .samples_per_client = static_cast<std::size_t>(options.samples_per_client),
                                    .alpha = options.dirichlet_alpha},
                                   Random(stream, "partition"));
  for (std::uint32_t& sample : partition_.samples) sample = order[sample];
  layout_ = Lease(*this)->model->layout();
}

ImageClassification::~ImageClassification() = default;

Parameters ImageClassification::initial_parameters() const {
  Parameters parameters(layout_);
  Lease(*this)->model->initialize(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

class ImageOracle : public GradientOracle {
 public:
  ImageOracle(const ImageClassification& problem, int client)
      : problem_(problem), samples_(problem.partition_.client(static_cast<std::size_t>(client))) {}

  double num_samples() const override { return static_cast<double>(samples_.size()); }
  std::size_t num_objectives() const override { return problem_.num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return problem_.layout(); }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    ImageClassification::Lease bench(problem_);
    const Batch batch = load(*bench.operator->(), draw);
    bench->model->jacobian(theta, batch, dropout(draw), losses, jacobian);
  }

  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    ImageClassification::Lease bench(problem_);
    const Batch batch = load(*bench.operator->(), draw);
    bench->model->weighted_gradient(theta, batch, objective_weights, dropout(draw), losses, gradient);
  }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    ImageClassification::Lease bench(problem_);
    const Batch batch = load(*bench.operator->(), draw);
    return bench->model->objective_gradient(theta, batch, static_cast<int>(objective), dropout(draw), gradient);
  }

 private:
  static Random dropout(const Draw& draw) { return draw.stream.substream("dropout", static_cast<std::uint64_t>(draw.step)); }

  /// Batch draw.step of an endless sequence of shuffled epochs.
  Batch load(ImageClassification::Bench& bench, const Draw& draw) const {
    const std::size_t size = std::min(samples_.size(), static_cast<std::size_t>(problem_.options_.batch_size));
    const std::size_t batches = samples_.size() / size;
    const auto step = static_cast<std::size_t>(draw.step);
    std::vector<std::uint32_t> order(samples_.begin(), samples_.end());
    draw.stream.substream("order", step / batches).shuffle(std::span(order));
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(step % batches * size);
    bench.samples.assign(first, first + static_cast<std::ptrdiff_t>(size));
    Random rotation = draw.stream.substream("rotation", step);
    return bench.load(problem_.splits_.train, problem_.splits_.augmentation, &rotation);
  }

  const ImageClassification& problem_;
  std::span<const std::uint32_t> samples_;
};

std::unique_ptr<GradientOracle> ImageClassification::oracle(int client) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  return std::make_unique<ImageOracle>(*this, client);
}

Evaluation ImageClassification::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  expect(theta.size() == layout_->size(), "evaluation: expected {} parameters, found {}", layout_->size(), theta.size());
  const ImageDataset& data = split == Split::kTest ? splits_.test : splits_.train;
  std::vector<std::uint32_t> samples = validation_;
  if (split == Split::kTest) {
    samples.resize(data.count);
    std::iota(samples.begin(), samples.end(), 0U);
  }
  expect(!samples.empty(), "evaluation: expected images in the split, found none");

  constexpr std::size_t kChunk = 256;
  const std::size_t chunks = (samples.size() + kChunk - 1) / kChunk;
  const std::size_t objectives = num_objectives();
  std::vector<std::vector<double>> losses(chunks, std::vector<double>(objectives));
  std::vector<std::vector<double>> correct(chunks, std::vector<double>(objectives));
  pool.for_each(chunks, [&](std::size_t chunk) {
    Lease bench(*this);
    const std::size_t begin = chunk * kChunk;
    const auto part = std::span(samples).subspan(begin, std::min(kChunk, samples.size() - begin));
    bench->samples.assign(part.begin(), part.end());
    const Batch batch = bench->load(data, splits_.augmentation, nullptr);
    bench->model->evaluate(theta, batch, losses[chunk], correct[chunk]);
  });

  Evaluation result;
  const auto total = static_cast<double>(samples.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    double loss = 0;
    double hits = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      loss += losses[chunk][k];
      hits += correct[chunk][k];
    }
    result.per_objective["loss"].push_back(loss / total);
    result.per_objective["accuracy"].push_back(hits / total);
  }
  return result;
}

}  // namespace paretofl
