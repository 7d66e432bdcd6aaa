#include "paretofl/models/multi_head_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paretofl/models/head_loss.h"
#include "paretofl/models/initialize.h"
#include "paretofl/models/network_layers.h"
#include "paretofl/models/sample_losses.h"
#include "paretofl/models/target_loss.h"

namespace paretofl {
namespace {

/// 1 for each of the samples that knows the objective's label or target, 0 for the others and beyond `count`.
Lanes known_samples(const Batch& batch, std::size_t objective, std::size_t first, std::size_t count) {
  Lanes known{};
  for (std::size_t n = 0; n < count; ++n) {
    known[n] = batch.known.empty() || batch.known[objective * batch.size + first + n] != 0 ? 1.0F : 0.0F;
  }
  return known;
}

/// How many samples of a batch know the objective's label or target, on average over batches where their share is known.
double known_count(const Batch& batch, std::size_t objective) {
  const auto size = static_cast<double>(batch.size);
  if (batch.known.empty()) return size;
  if (!batch.known_shares.empty()) return size * batch.known_shares[objective];
  const auto marks = batch.known.subspan(objective * batch.size, batch.size);
  return static_cast<double>(std::count_if(marks.begin(), marks.end(), [](std::uint8_t mark) { return mark != 0; }));
}

template <class T>
std::span<const T> of_samples(std::span<const T> all, const Batch& batch, std::size_t objective, std::size_t first, std::size_t count) {
  return all.subspan(objective * batch.size + first, count);
}

// Adds the loss of a group's samples, `first` and on in the batch.
void add_loss(const Head& head, std::span<const Lanes> outputs, const Batch& batch, std::size_t objective, std::size_t first,
              std::size_t count, Lanes known, double samples, double& to) {
  for_each_sum_part(count, [&](std::size_t from, std::size_t number) {
    const double sum =
        head.has_labels()
            ? loss_sum(head.loss, outputs, of_samples(batch.labels, batch, objective, first + from, number), known, from)
            : target_loss_sum(head, outputs[0], of_samples(batch.targets, batch, objective, first + from, number), known, from);
    to += sum / samples;
  });
}

}  // namespace

std::unique_ptr<MultiHeadModel> make_multi_head_net(const MultiHeadShape& shape, const std::vector<Head>& heads) {
  return std::make_unique<MultiHeadNet>(shape, heads);
}

MultiHeadNet::MultiHeadNet(const MultiHeadShape& shape, const std::vector<Head>& heads)
    : shape_(shape),
      layout_(multi_head_layout(shape, heads)),
      sizes_{.parameters = layout_->size(), .inputs = shape.inputs, .heads = heads},
      activations_(1 + shape.hidden.size()),
      feature_gradient_(shape.features()),
      body_gradients_(shape.hidden.size()) {
  const std::vector<Slice>& slices = layout_->slices();
  for (std::size_t i = 0; i < slices.size(); i += 2) {
    const std::vector<std::int64_t>& extents = slices[i].shape;
    const Layer layer{.shape = {.in = static_cast<std::size_t>(extents[1]), .out = static_cast<std::size_t>(extents[0])},
                      .weight = slices[i].range.begin,
                      .bias = slices[i + 1].range.begin};
    (i / 2 < shape.hidden.size() ? body_ : heads_).push_back(layer);
  }
  activations_[0].resize(shape.inputs);
  for (std::size_t l = 0; l < shape.hidden.size(); ++l) activations_[l + 1].resize(shape.hidden[l]);
}

void MultiHeadNet::initialize(Random random, std::span<float> parameters) const { initialize_by_fan_in(*layout_, random, parameters); }

void MultiHeadNet::jacobian(std::span<const float> parameters, const Batch& batch, Random, std::span<double> losses,
                            std::span<float> jacobian) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the Jacobian", sizes_.objectives() * sizes_.parameters, jacobian.size());
  std::fill(jacobian.begin(), jacobian.end(), 0.0F);
  passes_.clear();
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    passes_.push_back({.objective = k, .weight = 1, .gradient = jacobian.data() + k * sizes_.parameters});
  }
  train(parameters.data(), batch, passes_, losses.data());
}

void MultiHeadNet::weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights,
                                     Random, std::span<double> losses, std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("objective weights", sizes_.objectives(), objective_weights.size());
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  passes_.clear();
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    passes_.push_back({.objective = k, .weight = objective_weights[k], .gradient = gradient.data()});
  }
  train(parameters.data(), batch, passes_, losses.data());
}

double MultiHeadNet::objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random,
                                        std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  sizes_.check_objective(objective);
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  const HeadPass pass{.objective = static_cast<std::size_t>(objective), .weight = 1, .gradient = gradient.data()};
  double loss = 0;
  train(parameters.data(), batch, {&pass, 1}, &loss);
  return loss;
}

void MultiHeadNet::evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) {
  ModelSizes::check_size("loss sums", sizes_.objectives(), loss_sums.size());
  ModelSizes::check_size("scores", sizes_.objectives(), scores.size());
  std::vector<HeadSums> sums(sizes_.objectives());
  add_sums(parameters, batch, sums);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    loss_sums[k] += sums[k].loss;
    scores[k] += sums[k].correct + sums[k].absolute_error;
  }
}

std::optional<NetworkGraph> MultiHeadNet::network(std::span<const std::string> objectives) const {
  NetworkGraph graph;
  std::string value = graph.input({"features", {static_cast<std::int64_t>(shape_.inputs)}});
  for (std::size_t l = 0; l < body_.size(); ++l) {
    value = linear_of(graph, fmt::format("body.{}", l), value);
    value = shape_.activation == MultiHeadShape::Activation::kRelu ? relu_of(graph, value) : graph.add("Tanh", {value});
  }
  for (std::size_t k = 0; k < heads_.size(); ++k) {
    graph.output(linear_of(graph, fmt::format("head{}", k), value), {objectives[k], {static_cast<std::int64_t>(heads_[k].shape.out)}});
  }
  return graph;
}

void MultiHeadNet::add_sums(std::span<const float> parameters, const Batch& batch, std::span<HeadSums> sums) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("sums", sizes_.objectives(), sums.size());
  static constexpr Head kAbsolute{.outputs = 1, .loss = Loss::kAbsoluteError};
  static constexpr Head kSquared{.outputs = 1, .loss = Loss::kSquaredError};
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    forward_body(parameters.data(), batch, first, count);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Head& head = sizes_.heads[k];
      const Lanes known = known_samples(batch, k, first, count);
      forward_head(parameters.data(), k);
      HeadSums& sum = sums[k];
      for (std::size_t n = 0; n < count; ++n) sum.samples += static_cast<double>(known[n]);
      add_loss(head, outputs_, batch, k, first, count, known, 1, sum.loss);
      if (head.has_labels()) {
        sum.correct += correct_sum(head.loss, outputs_, of_samples(batch.labels, batch, k, first, count), known);
      } else {
        add_loss(kAbsolute, outputs_, batch, k, first, count, known, 1, sum.absolute_error);
        add_loss(kSquared, outputs_, batch, k, first, count, known, 1, sum.squared_error);
      }
    }
  }
}

void MultiHeadNet::train(const float* parameters, const Batch& batch, std::span<const HeadPass> passes, double* losses) {
  std::fill_n(losses, passes.size(), 0.0);
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    forward_body(parameters, batch, first, count);
    for (std::size_t p = 0; p < passes.size(); ++p) {
      const auto [objective, weight, gradient] = passes[p];
      if (const double samples = known_count(batch, objective); samples > 0) {
        const Lanes known = known_samples(batch, objective, first, count);
        forward_head(parameters, objective);
        add_loss(sizes_.heads[objective], outputs_, batch, objective, first, count, known, samples, losses[p]);
        propagate_head(parameters, batch, first, count, objective, known * static_cast<float>(weight / samples));
        add_head_gradient(objective, outputs_, gradient);
      }
      const bool gradient_complete = p + 1 == passes.size() || passes[p + 1].gradient != gradient;
      if (gradient_complete) {
        propagate_body(parameters);
        add_body_gradient(gradient);
      }
    }
  }
}

void MultiHeadNet::forward_body(const float* parameters, const Batch& batch, std::size_t first, std::size_t count) {
  std::vector<Lanes>& inputs = activations_[0];
  std::fill(inputs.begin(), inputs.end(), Lanes{});
  const float* row = batch.inputs.data() + first * shape_.inputs;
  for (std::size_t n = 0; n < count; ++n, row += shape_.inputs) {
    for (std::size_t i = 0; i < shape_.inputs; ++i) inputs[i][n] = row[i];
  }
  for (std::size_t l = 0; l < body_.size(); ++l) {
    linear_forward(body_[l].shape, parameters + body_[l].weight, parameters + body_[l].bias, activations_[l].data(),
                   activations_[l + 1].data());
    activate(activations_[l + 1]);
  }
}

void MultiHeadNet::forward_head(const float* parameters, std::size_t objective) {
  const Layer& head = heads_[objective];
  outputs_.resize(head.shape.out);
  linear_forward(head.shape, parameters + head.weight, parameters + head.bias, activations_.back().data(), outputs_.data());
  if (sizes_.heads[objective].loss == Loss::kNll) log_softmax(outputs_);
}

void MultiHeadNet::propagate_head(const float* parameters, const Batch& batch, std::size_t first, std::size_t count, std::size_t objective,
                                  Lanes scales) {
  const Head& head = sizes_.heads[objective];
  if (head.has_labels()) {
    loss_gradient(head.loss, outputs_, of_samples(batch.labels, batch, objective, first, count), scales);
  } else {
    outputs_[0] = target_loss_gradient(head, outputs_[0], of_samples(batch.targets, batch, objective, first, count), scales);
  }
  const Layer& layer = heads_[objective];
  if (!body_.empty()) linear_input_gradient(layer.shape, parameters + layer.weight, outputs_.data(), feature_gradient_.data());
}

void MultiHeadNet::add_head_gradient(std::size_t objective, std::span<const Lanes> output_gradient, float* gradient,
                                     std::size_t part_stride) const {
  const Layer& layer = heads_[objective];
  linear_parameter_gradient(layer.shape, activations_.back().data(), output_gradient.data(), gradient + layer.weight, gradient + layer.bias,
                            part_stride);
}

void MultiHeadNet::propagate_body(const float* parameters) {
  std::vector<Lanes>* gradient = &feature_gradient_;
  for (std::size_t l = body_.size(); l > 0; --l) {
    const Layer& layer = body_[l - 1];
    const std::vector<Lanes>& active = activations_[l];
    std::vector<Lanes>& here = body_gradients_[l - 1];
    here.resize(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
      const bool relu = shape_.activation == MultiHeadShape::Activation::kRelu;
      here[i] = relu ? (active[i] > 0 ? (*gradient)[i] : Lanes{}) : (*gradient)[i] * (1 - active[i] * active[i]);
    }
    if (l == 1) break;
    gradient = &body_gradients_[l - 2];
    gradient->assign(layer.shape.in, Lanes{});
    linear_input_gradient(layer.shape, parameters + layer.weight, here.data(), gradient->data());
  }
  feature_gradient_.assign(shape_.features(), Lanes{});
}

void MultiHeadNet::add_body_gradient(float* gradient, std::size_t part_stride) const {
  for (std::size_t l = body_.size(); l > 0; --l) {
    const Layer& layer = body_[l - 1];
    linear_parameter_gradient(layer.shape, activations_[l - 1].data(), body_gradients_[l - 1].data(), gradient + layer.weight,
                              gradient + layer.bias, part_stride);
  }
}

void MultiHeadNet::add_clipped_gradients(std::span<const float> parameters, const Batch& batch, const GradientTerms& terms, Random,
                                         const ClippedSums& sums) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", terms.terms.size(), sums.losses.size());
  ModelSizes::check_size("numbers in the gradients", terms.vectors * sizes_.parameters, sums.gradients.size());
  SampleLosses losses(terms.terms.size());
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    forward_body(parameters.data(), batch, first, count);
    for (std::size_t t = 0; t < terms.terms.size(); ++t) {
      const auto [objective, weight, vector] = terms.terms[t];
      const double share = batch.known_shares.empty() ? 1 : batch.known_shares[objective];
      const Lanes known = known_samples(batch, objective, first, count);
      forward_head(parameters.data(), objective);
      losses.set(t, count, [&, k = objective](Lanes alone) {
        double loss = 0;
        if (share > 0) add_loss(sizes_.heads[k], outputs_, batch, k, first, count, known * alone, share, loss);
        return loss;
      });
      propagate_head(parameters.data(), batch, first, count, objective, share > 0 ? known * static_cast<float>(weight / share) : Lanes{});
      kept_.push_back({objective, outputs_});
      if (t + 1 == terms.terms.size() || terms.terms[t + 1].vector != vector) {
        propagate_body(parameters.data());
        add_clipped_gradient(count, sums.clip, sums.gradients.subspan(vector * sizes_.parameters, sizes_.parameters));
      }
    }
    losses.add_clipped(count, sums);
  }
}

void MultiHeadNet::add_clipped_gradient(std::size_t count, double clip, std::span<double> sum) {
  LaneSums squares;
  for (const KeptHead& head : kept_) {
    linear_squared_norms(heads_[head.objective].shape, activations_.back().data(), head.output_gradient.data(), squares);
  }
  for (std::size_t l = 0; l < body_.size(); ++l) {
    linear_squared_norms(body_[l].shape, activations_[l].data(), body_gradients_[l].data(), squares);
  }
  Lanes factors{};
  for (std::size_t n = 0; n < count; ++n) factors[n] = static_cast<float>(clipping(squares[n], clip * kBelowClip));
  const auto scale = [&](std::vector<Lanes>& gradient) {
    for (Lanes& x : gradient) x *= factors;
  };
  for (auto& gradient : body_gradients_) scale(gradient);
  group_gradient_.assign(kLanes / kSumLanes * sum.size(), 0);
  for (KeptHead& head : kept_) {
    scale(head.output_gradient);
    add_head_gradient(head.objective, head.output_gradient, group_gradient_.data(), sum.size());
  }
  add_body_gradient(group_gradient_.data(), sum.size());
  for (std::size_t i = 0; i < group_gradient_.size(); ++i) sum[i % sum.size()] += static_cast<double>(group_gradient_[i]);
  kept_.clear();
}

void MultiHeadNet::activate(std::vector<Lanes>& values) const {
  for (Lanes& x : values) {
    if (shape_.activation == MultiHeadShape::Activation::kRelu) {
      x = relu(x);
    } else {
      for (std::size_t n = 0; n < kLanes; ++n) x[n] = std::tanh(x[n]);
    }
  }
}

}  // namespace paretofl
