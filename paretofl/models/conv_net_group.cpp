#include "paretofl/models/conv_net_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/models/head_loss.h"
#include "paretofl/models/transpose.h"

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

void ConvNetGroup::FullLayer::backward(const float* parameters, const Lanes* input, const Lanes* output_gradient, float* gradient,
                                       Lanes* input_gradient) const {
  linear_parameter_gradient(shape, input, output_gradient, gradient + weight, gradient + bias);
  linear_input_gradient(shape, parameters + weight, output_gradient, input_gradient);
}

ConvNetGroup::ConvNetGroup(const ConvNetShape& shape, const Layout& layout, const std::vector<Head>& heads)
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
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const std::string head = fmt::format("head{}", k);
    const bool deep = shape.head_hidden > 0;
    heads_.push_back({.hidden = deep ? std::optional(full_layer(layout, head + ".fc1")) : std::nullopt,
                      .last = full_layer(layout, head + (deep ? ".fc2" : ".fc")),
                      .loss = heads[k].loss});
  }
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
  conv_pool_forward(conv2_.shape, parameters + conv2_.weight, parameters + conv2_.bias, pooled1_.data(), pooled2_.data(), choice2_.data());
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
  const HeadLayers& head = heads_[k];
  loss_gradient(head.loss, outputs_, labels, scale);
  if (!head.hidden) {
    head.last.backward(parameters, features_.data(), outputs_.data(), gradient, features_gradient_.data());
    return;
  }
  std::fill(hidden_gradient_.begin(), hidden_gradient_.end(), Lanes{});
  head.last.backward(parameters, hidden_.data(), outputs_.data(), gradient, hidden_gradient_.data());
  relu_backward(hidden_, DropoutMask::kScale, hidden_gradient_);
  head.hidden->backward(parameters, features_.data(), hidden_gradient_.data(), gradient, features_gradient_.data());
}

void ConvNetGroup::backward_encoder(const float* parameters, float* gradient) {
  relu_backward(features_, DropoutMask::kScale, features_gradient_);
  std::fill(pooled2_gradient_.begin(), pooled2_gradient_.end(), Lanes{});
  fc_.backward(parameters, pooled2_.data(), features_gradient_.data(), gradient, pooled2_gradient_.data());
  std::fill(features_gradient_.begin(), features_gradient_.end(), Lanes{});
  relu_backward(pooled2_, 1, pooled2_gradient_);
  conv_pool_parameter_gradient(conv2_.shape, pooled1_.data(), pooled2_gradient_.data(), choice2_.data(), gradient + conv2_.weight,
                               gradient + conv2_.bias);
  conv_pool_input_gradient(conv2_.shape, parameters + conv2_.weight, pooled2_gradient_.data(), choice2_.data(), pooled1_gradient_.data());
  relu_backward(pooled1_, 1, pooled1_gradient_);
  conv_pool_parameter_gradient(conv1_.shape, image_.data(), pooled1_gradient_.data(), choice1_.data(), gradient + conv1_.weight,
                               gradient + conv1_.bias);
}

}  // namespace paretofl
