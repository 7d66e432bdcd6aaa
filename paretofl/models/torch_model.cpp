#include "paretofl/models/torch_model.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/kernels/dropout_mask.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_loss.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {
namespace {

std::vector<int> first_integers(std::size_t count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

ModelSizes sizes_of(const TorchGraph& graph) {
  return {.parameters = graph.layout->size(),
          .inputs = std::accumulate(graph.input_shape.begin(), graph.input_shape.end(), std::size_t{1}, std::multiplies<>()),
          .heads = graph.heads};
}

// A tensor on memory that outlives it; LibTorch has no read-only tensors, and none of these is written to.
at::Tensor borrow(std::span<const float> values, at::IntArrayRef shape) { return at::from_blob(const_cast<float*>(values.data()), shape); }

// Of `count` objectives from `first` on: [count, N].
Truth truth_of(const Batch& batch, std::size_t first, std::size_t count) {
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(count), static_cast<std::int64_t>(batch.size)};
  Truth truth;
  if (!batch.labels.empty()) {
    const auto labels = batch.labels.subspan(first * batch.size, count * batch.size);
    truth.labels = at::from_blob(const_cast<std::uint8_t*>(labels.data()), shape, at::kByte).to(at::kLong);
  }
  if (!batch.targets.empty()) truth.targets = borrow(batch.targets.subspan(first * batch.size, count * batch.size), shape);
  return truth;
}

void copy_gradient(const at::Tensor& loss, const at::Tensor& leaf, bool keep_graph, float* out) {
  const at::Tensor gradient = torch::autograd::grad({loss}, {leaf}, {}, keep_graph)[0].contiguous();
  std::copy_n(gradient.data_ptr<float>(), gradient.numel(), out);
}

void copy_losses(const at::Tensor& losses, std::span<double> out) { std::copy_n(losses.data_ptr<double>(), out.size(), out.begin()); }

}  // namespace

const at::Tensor& TorchCall::parameter(std::string_view slice) const {
  const auto found = parameters_.find(slice);
  expect(found != parameters_.end(), "torch model: expected a slice of the layout, found '{}'", slice);
  return found->second;
}

at::Tensor TorchCall::dropout(const at::Tensor& x, std::string_view purpose, std::uint64_t index) const {
  if (dropout_ == nullptr) return x;
  const auto samples = static_cast<std::size_t>(x.size(0));
  const auto units = static_cast<std::size_t>(x.size(1));
  DropoutMask mask;
  mask.draw(dropout_->substream(purpose, index), units, samples);
  const at::Tensor factors = at::empty(x.sizes());
  auto* factor = factors.data_ptr<float>();
  for (std::size_t n = 0; n < samples; ++n) {
    for (std::size_t u = 0; u < units; ++u) *factor++ = mask.factor(u, n);
  }
  return x * factors;
}

// One forward pass: the leaf that gradients refer to, and the outputs of `count` objectives from `first` on.
struct TorchModel::Pass {
  Pass(const TorchModel& model, std::span<const float> parameters, const Batch& batch, const Random* dropout, std::size_t first,
       std::size_t count)
      : leaf(borrow(parameters, {static_cast<std::int64_t>(parameters.size())})) {
    const TorchGraph& graph = *model.graph_;
    leaf.set_requires_grad(dropout != nullptr);
    std::vector<std::int64_t> shape = graph.input_shape;
    shape.insert(shape.begin(), static_cast<std::int64_t>(batch.size));
    std::vector<std::int64_t> slice_sizes;
    for (const Slice& slice : graph.layout->slices()) slice_sizes.push_back(static_cast<std::int64_t>(slice.range.size()));
    const std::vector<at::Tensor> parts = leaf.split_with_sizes(slice_sizes);
    std::map<std::string, at::Tensor, std::less<>> slices;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Slice& slice = graph.layout->slices()[i];
      slices.emplace(slice.name, parts[i].view(slice.shape));
    }
    const TorchCall call(std::move(slices), borrow(batch.inputs, shape), dropout);
    outputs = graph.forward(call, std::span(model.all_).subspan(first, count));
    truth = truth_of(batch, first, count);
    heads.assign(graph.heads.begin() + static_cast<std::ptrdiff_t>(first),
                 graph.heads.begin() + static_cast<std::ptrdiff_t>(first + count));
    losses = mean_losses(heads, outputs, truth);
  }

  at::Tensor leaf;
  at::Tensor outputs;  // [count, N, outputs]
  Truth truth;
  std::vector<Head> heads;
  at::Tensor losses;  // [count]
};

TorchModel::TorchModel(TorchGraph graph)
    : graph_(std::make_unique<TorchGraph>(std::move(graph))), sizes_(sizes_of(*graph_)), all_(first_integers(graph_->heads.size())) {}

TorchModel::~TorchModel() = default;

const std::shared_ptr<const Layout>& TorchModel::layout() const { return graph_->layout; }

void TorchModel::initialize(Random random, std::span<float> parameters) const { graph_->initialize(random, parameters); }

void TorchModel::jacobian(std::span<const float> parameters, const Batch& batch, Random dropout, std::span<double> losses,
                          std::span<float> jacobian) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the Jacobian", sizes_.objectives() * sizes_.parameters, jacobian.size());
  pin_torch_thread();
  const Pass pass(*this, parameters, batch, &dropout, 0, sizes_.objectives());
  copy_losses(pass.losses, losses);
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    const at::Tensor loss = pass.losses.select(0, static_cast<std::int64_t>(k));
    copy_gradient(loss, pass.leaf, k + 1 < sizes_.objectives(), jacobian.data() + k * sizes_.parameters);
  }
}

void TorchModel::weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights,
                                   Random dropout, std::span<double> losses, std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("objective weights", sizes_.objectives(), objective_weights.size());
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  pin_torch_thread();
  const Pass pass(*this, parameters, batch, &dropout, 0, sizes_.objectives());
  copy_losses(pass.losses, losses);
  const at::Tensor lambda = at::from_blob(const_cast<double*>(objective_weights.data()), pass.losses.sizes(), at::kDouble);
  copy_gradient(pass.losses.dot(lambda), pass.leaf, false, gradient.data());
}

double TorchModel::objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random dropout,
                                      std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  sizes_.check_objective(objective);
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  pin_torch_thread();
  const Pass pass(*this, parameters, batch, &dropout, static_cast<std::size_t>(objective), 1);
  copy_gradient(pass.losses.sum(), pass.leaf, false, gradient.data());
  return pass.losses.item<double>();
}

void TorchModel::evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("loss sums", sizes_.objectives(), loss_sums.size());
  ModelSizes::check_size("scores", sizes_.objectives(), scores.size());
  pin_torch_thread();
  const at::NoGradGuard no_grad;
  const Pass pass(*this, parameters, batch, nullptr, 0, sizes_.objectives());
  const at::Tensor sums = score_sums(pass.heads, pass.outputs, pass.truth);
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    loss_sums[k] += pass.losses.data_ptr<double>()[k] * static_cast<double>(batch.size);
    scores[k] += sums.data_ptr<double>()[k];
  }
}

std::optional<NetworkGraph> TorchModel::network(std::span<const std::string> objectives) const {
  if (!graph_->network) return std::nullopt;
  return graph_->network(objectives);
}

}  // namespace paretofl
