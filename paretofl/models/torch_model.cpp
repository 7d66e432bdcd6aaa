#include "paretofl/models/torch_model.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/models/dropout_mask.h"
#include "paretofl/models/torch_graph.h"

namespace paretofl {
namespace {

// A free number of threads changes the order of additions. OpenBLAS has threads of its own that
// at::set_num_threads does not reach.
void pin_this_thread() {
  static std::mutex mutex;
  thread_local bool pinned = false;
  if (pinned) return;
  const std::scoped_lock lock(mutex);
  using SetThreads = void (*)(int);
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<SetThreads>(set_threads)(1);
  at::set_num_threads(1);
  pinned = true;
}

std::vector<int> first_integers(int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

ModelSizes sizes_of(const TorchGraph& graph) {
  return {.parameters = graph.layout->size(),
          .objectives = static_cast<std::size_t>(graph.num_objectives),
          .pixels = std::accumulate(graph.image_shape.begin(), graph.image_shape.end(), std::size_t{1}, std::multiplies<>()),
          .classes = graph.num_classes};
}

// A tensor on memory that outlives it; LibTorch has no read-only tensors, and none of these is written to.
at::Tensor borrow(std::span<const float> values, at::IntArrayRef shape) { return at::from_blob(const_cast<float*>(values.data()), shape); }

at::Tensor labels_of(const ImageBatch& batch, int objective) {
  const auto labels = batch.labels.subspan(static_cast<std::size_t>(objective) * batch.size, batch.size);
  return at::from_blob(const_cast<std::uint8_t*>(labels.data()), {static_cast<std::int64_t>(batch.size)}, at::kByte).to(at::kLong);
}

void copy_gradient(const at::Tensor& loss, const at::Tensor& leaf, bool keep_graph, float* out) {
  const at::Tensor gradient = torch::autograd::grad({loss}, {leaf}, {}, keep_graph)[0].contiguous();
  std::copy_n(gradient.data_ptr<float>(), gradient.numel(), out);
}

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

// One forward pass: the leaf that gradients refer to, and the mean losses of the objectives asked for.
struct TorchModel::Pass {
  Pass(const TorchGraph& graph, std::span<const float> parameters, const ImageBatch& batch, const Random* dropout,
       std::span<const int> objectives)
      : leaf(borrow(parameters, {static_cast<std::int64_t>(parameters.size())})) {
    leaf.set_requires_grad(dropout != nullptr);
    std::vector<std::int64_t> shape = graph.image_shape;
    shape.insert(shape.begin(), static_cast<std::int64_t>(batch.size));
    std::vector<std::int64_t> slice_sizes;
    for (const Slice& slice : graph.layout->slices()) slice_sizes.push_back(static_cast<std::int64_t>(slice.range.size()));
    const std::vector<at::Tensor> parts = leaf.split_with_sizes(slice_sizes);
    std::map<std::string, at::Tensor, std::less<>> slices;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Slice& slice = graph.layout->slices()[i];
      slices.emplace(slice.name, parts[i].view(slice.shape));
    }
    outputs = graph.forward(TorchCall(std::move(slices), borrow(batch.pixels, shape), dropout), objectives);
    for (std::size_t i = 0; i < objectives.size(); ++i) losses.push_back(at::nll_loss(outputs[i], labels_of(batch, objectives[i])));
  }

  at::Tensor leaf;
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> losses;
};

TorchModel::TorchModel(TorchGraph graph)
    : graph_(std::make_unique<TorchGraph>(std::move(graph))), sizes_(sizes_of(*graph_)), all_(first_integers(graph_->num_objectives)) {}

TorchModel::~TorchModel() = default;

const std::shared_ptr<const Layout>& TorchModel::layout() const { return graph_->layout; }

void TorchModel::initialize(Random random, std::span<float> parameters) const { graph_->initialize(random, parameters); }

void TorchModel::jacobian(std::span<const float> parameters, const ImageBatch& batch, Random dropout, std::span<double> losses,
                          std::span<float> jacobian) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", sizes_.objectives, losses.size());
  ModelSizes::check_size("numbers in the Jacobian", sizes_.objectives * sizes_.parameters, jacobian.size());
  pin_this_thread();
  const Pass pass(*graph_, parameters, batch, &dropout, all_);
  for (std::size_t k = 0; k < sizes_.objectives; ++k) {
    losses[k] = pass.losses[k].item<double>();
    copy_gradient(pass.losses[k], pass.leaf, k + 1 < sizes_.objectives, jacobian.data() + k * sizes_.parameters);
  }
}

void TorchModel::weighted_gradient(std::span<const float> parameters, const ImageBatch& batch, std::span<const double> objective_weights,
                                   Random dropout, std::span<double> losses, std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("objective weights", sizes_.objectives, objective_weights.size());
  ModelSizes::check_size("losses", sizes_.objectives, losses.size());
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  pin_this_thread();
  const Pass pass(*graph_, parameters, batch, &dropout, all_);
  at::Tensor sum = at::zeros({});
  for (std::size_t k = 0; k < sizes_.objectives; ++k) {
    losses[k] = pass.losses[k].item<double>();
    sum = sum + objective_weights[k] * pass.losses[k];
  }
  copy_gradient(sum, pass.leaf, false, gradient.data());
}

double TorchModel::objective_gradient(std::span<const float> parameters, const ImageBatch& batch, int objective, Random dropout,
                                      std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  sizes_.check_objective(objective);
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  pin_this_thread();
  const Pass pass(*graph_, parameters, batch, &dropout, {&objective, 1});
  copy_gradient(pass.losses[0], pass.leaf, false, gradient.data());
  return pass.losses[0].item<double>();
}

void TorchModel::evaluate(std::span<const float> parameters, const ImageBatch& batch, std::span<double> loss_sums,
                          std::span<std::int64_t> correct) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("loss sums", sizes_.objectives, loss_sums.size());
  ModelSizes::check_size("correct counts", sizes_.objectives, correct.size());
  pin_this_thread();
  const at::NoGradGuard no_grad;
  const Pass pass(*graph_, parameters, batch, nullptr, all_);
  for (std::size_t k = 0; k < sizes_.objectives; ++k) {
    loss_sums[k] += pass.losses[k].item<double>() * static_cast<double>(batch.size);
    correct[k] += pass.outputs[k].argmax(1).eq(labels_of(batch, static_cast<int>(k))).sum().item<std::int64_t>();
  }
}

}  // namespace paretofl
