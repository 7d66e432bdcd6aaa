#include "paretofl/workloads/image_classification.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/core/whole_share.h"
#include "paretofl/images/labelled_image_files.h"
#include "paretofl/models/registry.h"
#include "paretofl/workloads/constant_accuracy.h"
#include "paretofl/workloads/image_part.h"
#include "paretofl/workloads/sample_evaluation.h"
#include "paretofl/workloads/sample_oracle.h"

namespace paretofl {

void ImageClassificationOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("samples_per_client", samples_per_client, 1, kMaxInt, "training images of each client");
  visit.real("dirichlet_alpha", dirichlet_alpha, 1e-6, 1e9, "concentration of the Dirichlet split over joint labels");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "minibatch size; a client with fewer samples takes all");
  visit.real("rotation_degrees", rotation_degrees, 0, 180, "training images are rotated by up to this angle in both directions");
  visit.real("validation_fraction", validation_fraction, 0, 0.9, "share of the training images held out for validation");
  visit.real("held_out_fraction", held_out_fraction, 0, 0.9,
             "share of each client's images that it holds out itself, for evaluation.federated; rounded down");
  visit.text("model", model, "name of the model");
  visit.choice("losses", losses, {"nll", "l2_first"},
               "nll: negative log-likelihood; l2_first: for the first objective, the squared error of the probabilities instead");
}

/// The images of one part as a model sees them.
class ImageClassification::Images : public SampleSource {
 public:
  Images(const ImageDataset& data, const Augmentation& augmentation) : data_(data), augmentation_(augmentation) {}

  std::size_t count() const { return data_.count; }

  Batch load(std::span<const std::uint32_t> samples, const Draw* draw, Bench& bench) const override {
    std::optional<Random> random;
    if (draw != nullptr) random = draw->stream.substream("rotation", static_cast<std::uint64_t>(draw->step));
    bench.inputs.resize(samples.size() * data_.image_size());
    write_inputs(data_, samples, augmentation_, random ? &*random : nullptr, bench.inputs);
    bench.labels.clear();
    for (const auto& of_objective : data_.labels) {
      for (const std::uint32_t sample : samples) bench.labels.push_back(of_objective[sample]);
    }
    return {.size = samples.size(), .inputs = bench.inputs, .labels = bench.labels};
  }

 private:
  const ImageDataset& data_;
  const Augmentation& augmentation_;
};

namespace {

std::vector<std::uint32_t> all_samples(std::size_t count) {
  std::vector<std::uint32_t> samples(count);
  std::iota(samples.begin(), samples.end(), 0U);
  return samples;
}

}  // namespace

ImageClassification::ImageClassification(const ImageClassificationOptions& options, ImageSplits splits, std::uint64_t seed,
                                         std::optional<ProblemPart> part)
    : Workload(std::move(part)),
      options_(options),
      splits_(std::move(splits)),
      train_(std::make_unique<Images>(splits_.train, splits_.augmentation)),
      test_(std::make_unique<Images>(splits_.test, splits_.augmentation)),
      published_validation_(std::make_unique<Images>(splits_.validation, splits_.augmentation)),
      seed_(seed),
      benches_([this] { return make_model(options_.model, heads_); }) {
  splits_.augmentation.degrees = options.rotation_degrees;
  if (!this->part()) {
    if (!splits_.read_train) splits_.train.check("training images");
    splits_.test.check("test images");
    if (splits_.validation.count > 0) {
      splits_.validation.check("validation images");
      expect(options.validation_fraction == 0, "workload.validation_fraction: expected 0 beside published validation images, found {}",
             options.validation_fraction);
    }
  }
  heads_ = splits_.train.heads;
  if (options.losses == "l2_first") {
    expect(heads_[0].loss == Loss::kNll, "workload.losses: expected nll for objectives of binary attributes, found '{}'", options.losses);
    heads_[0].loss = Loss::kL2;
  }
  if (this->part()) {
    partition_ = {.samples_per_client = splits_.train.count, .samples = all_samples(splits_.train.count)};
  } else {
    deal_images();
  }
  layout_ = BenchPool::Lease(benches_)->model->layout();
  expect_fitting_model();
}

ImageClassification::~ImageClassification() = default;

void ImageClassification::deal_images() {
  const StreamId stream{seed_, 0, kServerStream};
  const auto held_out = whole_share(options_.validation_fraction, splits_.train.count);
  std::vector<std::uint32_t> order = all_samples(splits_.train.count);
  if (held_out > 0) Random(stream, "validation split").shuffle(std::span(order));
  validation_.assign(order.end() - static_cast<std::ptrdiff_t>(held_out), order.end());
  order.resize(order.size() - held_out);

  const std::vector<std::uint32_t> labels = splits_.train.strata.empty() ? joint_labels(splits_.train) : splits_.train.strata;
  std::vector<std::uint32_t> kept_labels;
  for (const std::uint32_t sample : order) kept_labels.push_back(labels[sample]);
  partition_ = dirichlet_partition(kept_labels,
                                   {.clients = static_cast<std::size_t>(options_.clients),
                                    .samples_per_client = static_cast<std::size_t>(options_.samples_per_client),
                                    .alpha = options_.dirichlet_alpha},
                                   Random(stream, "partition"));
  for (std::uint32_t& sample : partition_.samples) sample = order[sample];
  // They come label by label, and what a client holds out must not be its last labels.
  for (std::uint32_t client = 0; options_.held_out_fraction > 0 && client < options_.clients; ++client) {
    const auto own = std::span(partition_.samples).subspan(client * partition_.samples_per_client, partition_.samples_per_client);
    Random({seed_, 0, client}, "held-out images").shuffle(own);
  }
  if (splits_.read_train) read_used_images();
  if (options_.held_out_fraction > 0) choose_held_out_images();
}

void ImageClassification::choose_held_out_images() {
  std::vector<bool> trained_on(splits_.train.count);
  for (int client = 0; client < num_clients(); ++client) {
    for (const std::uint32_t sample : training_images(client)) trained_on[sample] = true;
  }
  bool any = false;
  for (int client = 0; client < num_clients(); ++client) {
    const auto own = partition_.client(static_cast<std::size_t>(client));
    std::vector<std::uint32_t>& held_out = held_out_.emplace_back();
    for (const std::uint32_t sample : own.subspan(training_images(client).size())) {
      if (!trained_on[sample]) held_out.push_back(sample);
    }
    any = any || !held_out.empty();
  }
  expect(
      any || whole_share(options_.held_out_fraction, partition_.samples_per_client) == 0,
      "workload.held_out_fraction: expected a client to hold out an image that no client trains on, found none: {} clients have {} images "
      "each, of {}",
      options_.clients, options_.samples_per_client, splits_.train.count);
}

void ImageClassification::expect_fitting_model() {
  for (const auto& [data, images] : {std::pair(&splits_.train, train_.get()), std::pair(&splits_.test, test_.get()),
                                     std::pair(&splits_.validation, published_validation_.get())}) {
    if (data->count == 0) continue;
    const std::string what = fmt::format("{} images of {} x {} x {} (channels, rows, columns)",
                                         data == &splits_.train ? "training" : "held-out", data->channels, data->height, data->width);
    paretofl::expect_fitting_model(benches_, *images, 0, what, options_.model);
  }
}

void ImageClassification::read_used_images() {
  std::vector<std::uint32_t> used = partition_.samples;
  used.insert(used.end(), validation_.begin(), validation_.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());

  ImageDataset& train = splits_.train;
  train.pixels = splits_.read_train(used);
  splits_.read_train = nullptr;
  const auto keep_used = [&](auto& values) {
    for (std::size_t i = 0; i < used.size(); ++i) values[i] = values[used[i]];
    values.resize(used.size());
  };
  for (auto& labels : train.labels) keep_used(labels);
  if (!train.strata.empty()) keep_used(train.strata);
  train.count = used.size();
  train.check("training images");
  for (auto* samples : {&partition_.samples, &validation_}) {
    for (std::uint32_t& sample : *samples) {
      sample = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), sample) - used.begin());
    }
  }
}

bool ImageClassification::shares_unit(const std::string& metric) const {
  const auto has_first_loss = [&](const Head& head) { return head.loss == heads_.front().loss; };
  return metric != "loss" || std::all_of(heads_.begin(), heads_.end(), has_first_loss);
}

Parameters ImageClassification::initial_parameters() const {
  Parameters parameters(layout_);
  BenchPool::Lease(benches_)->model->initialize(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

std::span<const std::uint32_t> ImageClassification::training_images(int client) const {
  if (part()) return partition_.client(0);
  const auto own = partition_.client(static_cast<std::size_t>(client));
  return own.first(own.size() - whole_share(options_.held_out_fraction, own.size()));
}

std::span<const std::uint32_t> ImageClassification::held_out_images(int client) const {
  if (held_out_.empty()) return {};
  return held_out_[static_cast<std::size_t>(client)];
}

std::unique_ptr<GradientOracle> ImageClassification::oracle(int client) const {
  expect_client(client);
  return std::make_unique<SampleOracle>(benches_, *train_, training_images(client), static_cast<std::size_t>(options_.batch_size));
}

HeldOutFigures ImageClassification::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  expect_client(client);
  const std::vector<std::uint32_t> in_part = part() ? all_samples(splits_.test.count) : std::vector<std::uint32_t>();
  const std::span<const std::uint32_t> samples = part() ? in_part : held_out_images(client);
  HeldOutFigures figures;
  if (samples.empty()) return figures;
  const SampleEvaluation found = evaluate_samples(benches_, part() ? *test_ : *train_, samples, theta, pool);
  figures.add_means("loss", found.losses, static_cast<double>(samples.size()));
  figures.add_means("accuracy", found.scores, static_cast<double>(samples.size()));
  return figures;
}

Evaluation ImageClassification::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  const bool held_out = split == Split::kValidation && splits_.validation.count == 0;
  const Images& images = held_out ? *train_ : split == Split::kTest ? *test_ : *published_validation_;
  const std::vector<std::uint32_t> samples = held_out ? validation_ : all_samples(images.count());
  SampleEvaluation found = evaluate_samples(benches_, images, samples, theta, pool);
  Evaluation result;
  result.per_objective = {{"loss", std::move(found.losses)}, {"accuracy", std::move(found.scores)}};
  return result;
}

nlohmann::json ImageClassification::facts() const { return image_facts(splits_); }

void ImageClassification::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  if (client) {
    write_labelled_images(splits_.train, training_images(*client), folder, "train");
    if (!held_out_images(*client).empty()) write_labelled_images(splits_.train, held_out_images(*client), folder, "test");
    return;
  }
  write_labelled_images(splits_.test, all_samples(splits_.test.count), folder, "test");
  if (!validation_.empty()) write_labelled_images(splits_.train, validation_, folder, "validation");
  if (splits_.validation.count > 0) write_labelled_images(splits_.validation, all_samples(splits_.validation.count), folder, "validation");
}

std::optional<NetworkGraph> ImageClassification::network() const {
  auto graph = BenchPool::Lease(benches_)->model->network(objective_names());
  if (graph) graph->normalize_input(splits_.augmentation.mean, splits_.augmentation.std);
  return graph;
}

std::map<std::string, std::vector<double>> ImageClassification::constant_predictor() const {
  if (part()) return {};
  std::vector<double> accuracy;
  for (std::size_t m = 0; m < heads_.size(); ++m) {
    accuracy.push_back(constant_accuracy(splits_.train.heads[m], splits_.train.labels[m], splits_.test.labels[m]));
  }
  return {{"accuracy", std::move(accuracy)}};
}

}  // namespace paretofl
