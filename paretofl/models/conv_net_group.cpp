#include "paretofl/models/conv_net_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/kernels/transpose.h"
#include "paretofl/models/head_loss.h"
#include "paretofl/privacy/clipped_sums.h"

namespace paretofl {
namespace {

void relu_and_dropout(std::span<Lanes> units, const DropoutMask* mask, std::size_t first) {
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u] = relu(units[u]);
    if (mask != nullptr) units[u] *= mask->factors(u, first);
  }
}

// Through dropout and ReLU: a positive output was kept, a zero passes nothing on.
void relu_backward(std::span<const Lanes> output, float factor, std::span<Lanes> gradient) {
  for (std::size_t u = 0; u < gradient.size(); ++u) gradient[u] = output[u] > 0 ? factor * gradient[u] : Lanes{};
}

}  // namespace

ConvNetGroup::FullLayer ConvNetGroup::full_layer(const Layout& layout, const std::string& layer) {
  const std::vector<std::int64_t>& extents = layout.slice(layer + ".weight").shape;
  return {.shape = {.in = static_cast<std::size_t>(extents[1]), .out = static_cast<std::size_t>(extents[0])},
          .weight = weight_of(layout, layer),
          .bias = bias_of(layout, layer)};
}

void ConvNetGroup::FullLayer::forward(const float* parameters, const Lanes* input, Lanes* output) const {
  linear_forward(shape, parameters + weight, parameters + bias, input, output);
}

void ConvNetGroup::FullLayer::parameter_gradient(const Lanes* input, const Lanes* output_gradient, float* gradient,
                                                 std::size_t part_stride) const {
  linear_parameter_gradient(shape, input, output_gradient, gradient + weight, gradient + bias, part_stride);
}

void ConvNetGroup::FullLayer::input_gradient(const float* parameters, const Lanes* output_gradient, Lanes* gradient) const {
  linear_input_gradient(shape, parameters + weight, output_gradient, gradient);
}

ConvNetGroup::ConvNetGroup(const ConvNetShape& shape, const Layout& layout, const std::vector<Head>& heads, ConvolutionMethod method)
    : shape_(shape),
      conv1_{shape.conv1(), weight_of(layout, "encoder.conv1"), bias_of(layout, "encoder.conv1")},
      conv2_{shape.conv2(), weight_of(layout, "encoder.conv2"), bias_of(layout, "encoder.conv2")},
      fc_(full_layer(layout, "encoder.fc")),
      image_(shape.conv1().input_size()),
      pooled1_(shape.conv1().output_size()),
      choice1_(pooled1_.size()),
      pooled2_(shape.flat()),
      choice2_(pooled2_.size()),
      features_(shape.features),
      hidden_(shape.head_hidden),
      features_gradient_(shape.features),
      hidden_gradient_(shape.head_hidden),
      pooled2_gradient_(pooled2_.size()),
      pooled1_gradient_(pooled1_.size()) {
  if (method == ConvolutionMethod::kWinograd) winograd2_.emplace(shape.conv2());
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const std::string head = fmt::format("head{}", k);
    const bool deep = shape.head_hidden > 0;
    heads_.push_back({.hidden = deep ? std::optional(full_layer(layout, head + ".fc1")) : std::nullopt,
                      .last = full_layer(layout, head + (deep ? ".fc2" : ".fc")),
                      .loss = heads[k].loss});
  }
}

void ConvNetGroup::begin_batch(const float* parameters) {
  if (winograd2_) winograd2_->set_weight(parameters + conv2_.weight);
}

void ConvNetGroup::load_images(const float* images, std::size_t count) {
  const std::size_t plane = shape_.side * shape_.side;
  for (std::size_t pixel = 0; pixel < shape_.inputs(); pixel += kLanes) {
    Lanes block[kLanes]{};
    for (std::size_t n = 0; n < count; ++n) std::copy_n(images + n * shape_.inputs() + pixel, kLanes, reinterpret_cast<float*>(&block[n]));
    transpose(block);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t c = (pixel + i) / plane;
      const std::size_t y = (pixel + i) % plane / shape_.side;
      const std::size_t x = (pixel + i) % shape_.side;
      image_[(c * conv1_.shape.height + y + 1) * conv1_.shape.width + x + 1] = block[i];
    }
  }
}

void ConvNetGroup::forward_encoder(const float* parameters, const DropoutMask* mask, std::size_t first) {
  conv_pool_forward(conv1_.shape, parameters + conv1_.weight, parameters + conv1_.bias, image_.data(), pooled1_.data(), choice1_.data());
  if (winograd2_) {
    winograd2_->forward(parameters + conv2_.bias, pooled1_.data(), pooled2_.data(), choice2_.data());
  } else {
    conv_pool_forward(conv2_.shape, parameters + conv2_.weight, parameters + conv2_.bias, pooled1_.data(), pooled2_.data(),
                      choice2_.data());
  }
  fc_.forward(parameters, pooled2_.data(), features_.data());
  relu_and_dropout(features_, mask, first);
}

void ConvNetGroup::forward_head(const float* parameters, std::size_t k, const DropoutMask* mask, std::size_t first) {
  const HeadLayers& head = heads_[k];
  if (head.hidden) {
    head.hidden->forward(parameters, features_.data(), hidden_.data());
    relu_and_dropout(hidden_, mask, first);
  }
  outputs_.resize(head.last.shape.out);
  head.last.forward(parameters, head.hidden ? hidden_.data() : features_.data(), outputs_.data());
  if (head.loss != Loss::kBinary) log_softmax(outputs_);
}

void ConvNetGroup::backward_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale,
                                 float* gradient) {
  propagate_head(parameters, k, labels, scale);
  add_head_gradient(k, hidden_, hidden_gradient_, outputs_, gradient);
}

void ConvNetGroup::backward_encoder(const float* parameters, float* gradient) {
  propagate_encoder(parameters);
  add_encoder_gradient(gradient);
}

void ConvNetGroup::keep_head_gradient(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale) {
  propagate_head(parameters, k, labels, scale);
  kept_.push_back({k, hidden_, hidden_gradient_, outputs_});
}

void ConvNetGroup::add_clipped_gradient(const float* parameters, std::size_t count, double clip, std::span<double> sum) {
  propagate_encoder(parameters);
  const LaneSums squares = squared_norms();
  Lanes factors{};
  for (std::size_t n = 0; n < count; ++n) factors[n] = static_cast<float>(clipping(squares[n], clip * kBelowClip));
  const auto scale = [&](std::vector<Lanes>& gradient) {
    for (Lanes& x : gradient) x *= factors;
  };
  for (auto* gradient : {&features_gradient_, &pooled2_gradient_, &pooled1_gradient_}) scale(*gradient);
  group_gradient_.assign(kLanes / kSumLanes * sum.size(), 0);
  for (HeadPass& head : kept_) {
    scale(head.hidden_gradient);
    scale(head.output_gradient);
    add_head_gradient(head.k, head.hidden, head.hidden_gradient, head.output_gradient, group_gradient_.data(), sum.size());
  }
  add_encoder_gradient(group_gradient_.data(), sum.size());
  for (std::size_t i = 0; i < group_gradient_.size(); ++i) sum[i % sum.size()] += static_cast<double>(group_gradient_[i]);
  kept_.clear();
}

void ConvNetGroup::propagate_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale) {
  const HeadLayers& head = heads_[k];
  loss_gradient(head.loss, outputs_, labels, scale);
  if (!head.hidden) {
    head.last.input_gradient(parameters, outputs_.data(), features_gradient_.data());
    return;
  }
  std::fill(hidden_gradient_.begin(), hidden_gradient_.end(), Lanes{});
  head.last.input_gradient(parameters, outputs_.data(), hidden_gradient_.data());
  relu_backward(hidden_, DropoutMask::kScale, hidden_gradient_);
  head.hidden->input_gradient(parameters, hidden_gradient_.data(), features_gradient_.data());
}

void ConvNetGroup::propagate_encoder(const float* parameters) {
  relu_backward(features_, DropoutMask::kScale, features_gradient_);
  std::fill(pooled2_gradient_.begin(), pooled2_gradient_.end(), Lanes{});
  fc_.input_gradient(parameters, features_gradient_.data(), pooled2_gradient_.data());
  relu_backward(pooled2_, 1, pooled2_gradient_);
  if (winograd2_) {
    winograd2_->input_gradient(pooled2_gradient_.data(), choice2_.data(), pooled1_gradient_.data());
  } else {
    conv_pool_input_gradient(conv2_.shape, parameters + conv2_.weight, pooled2_gradient_.data(), choice2_.data(), routed_,
                             pooled1_gradient_.data());
  }
  relu_backward(pooled1_, 1, pooled1_gradient_);
}

void ConvNetGroup::add_head_gradient(std::size_t k, std::span<const Lanes> hidden, std::span<const Lanes> hidden_gradient,
                                     std::span<const Lanes> output_gradient, float* gradient, std::size_t part_stride) const {
  const HeadLayers& head = heads_[k];
  head.last.parameter_gradient(head.hidden ? hidden.data() : features_.data(), output_gradient.data(), gradient, part_stride);
  if (head.hidden) head.hidden->parameter_gradient(features_.data(), hidden_gradient.data(), gradient, part_stride);
}

void ConvNetGroup::add_encoder_gradient(float* gradient, std::size_t part_stride) {
  fc_.parameter_gradient(pooled2_.data(), features_gradient_.data(), gradient, part_stride);
  std::fill(features_gradient_.begin(), features_gradient_.end(), Lanes{});
  conv_pool_parameter_gradient(conv2_.shape, pooled1_.data(), pooled2_gradient_.data(), choice2_.data(), gradient + conv2_.weight,
                               gradient + conv2_.bias, part_stride);
  conv_pool_parameter_gradient(conv1_.shape, image_.data(), pooled1_gradient_.data(), choice1_.data(), gradient + conv1_.weight,
                               gradient + conv1_.bias, part_stride);
}

LaneSums ConvNetGroup::squared_norms() const {
  LaneSums squares;
  for (const HeadPass& pass : kept_) {
    const HeadLayers& head = heads_[pass.k];
    linear_squared_norms(head.last.shape, head.hidden ? pass.hidden.data() : features_.data(), pass.output_gradient.data(), squares);
    if (head.hidden) linear_squared_norms(head.hidden->shape, features_.data(), pass.hidden_gradient.data(), squares);
  }
  linear_squared_norms(fc_.shape, pooled2_.data(), features_gradient_.data(), squares);
  conv_pool_squared_norms(conv2_.shape, pooled1_.data(), pooled2_gradient_.data(), choice2_.data(), squares);
  conv_pool_squared_norms(conv1_.shape, image_.data(), pooled1_gradient_.data(), choice1_.data(), squares);
  return squares;
}

}  // namespace paretofl
