#include "paretofl/models/lenet_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/models/softmax_loss.h"
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

LenetGroup::Layer::Layer(const Layout& layout, const std::string& name)
    : weight(layout.slice(name + ".weight").range.begin), bias(layout.slice(name + ".bias").range.begin) {}

LenetGroup::LenetGroup(const Layout& layout, const std::vector<Head>& heads)
    : conv1_(layout, "encoder.conv1"), conv2_(layout, "encoder.conv2"), fc_(layout, "encoder.fc") {
  static_assert(kConv1.output_size() == kConv2.input_size() && kConv2.output_size() == kLenetFlat);
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const std::string head = fmt::format("head{}", k);
    heads_.push_back({.fc1 = Layer(layout, head + ".fc1"), .fc2 = Layer(layout, head + ".fc2"), .loss = heads[k].loss});
  }
}

void LenetGroup::load_images(const float* images, std::size_t count) {
  constexpr std::size_t kPixels = kLenetImage * kLenetImage;
  static_assert(kPixels % kLanes == 0);
  for (std::size_t pixel = 0; pixel < kPixels; pixel += kLanes) {
    Lanes block[kLanes]{};
    for (std::size_t n = 0; n < count; ++n) std::copy_n(images + n * kPixels + pixel, kLanes, reinterpret_cast<float*>(&block[n]));
    transpose(block);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t y = (pixel + i) / kLenetImage;
      const std::size_t x = (pixel + i) % kLenetImage;
      image_[(y + 1) * kConv1.width + x + 1] = block[i];
    }
  }
}

void LenetGroup::forward_encoder(const float* parameters, const DropoutMask* mask, std::size_t first) {
  conv_pool_forward(kConv1, parameters + conv1_.weight, parameters + conv1_.bias, image_.data(), pooled1_.data(), choice1_.data());
  conv_pool_forward(kConv2, parameters + conv2_.weight, parameters + conv2_.bias, pooled1_.data(), pooled2_.data(), choice2_.data());
  linear_forward(kFc, parameters + fc_.weight, parameters + fc_.bias, pooled2_.data(), features_.data());
  relu_and_dropout(features_, mask, first);
}

void LenetGroup::forward_head(const float* parameters, std::size_t k, const DropoutMask* mask, std::size_t first) {
  const auto& [fc1, fc2, loss] = heads_[k];
  linear_forward(kHeadFc1, parameters + fc1.weight, parameters + fc1.bias, features_.data(), hidden_.data());
  relu_and_dropout(hidden_, mask, first);
  linear_forward(kHeadFc2, parameters + fc2.weight, parameters + fc2.bias, hidden_.data(), outputs_.data());
  log_softmax(outputs_);
}

void LenetGroup::backward_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale, float* gradient) {
  const auto& [fc1, fc2, loss] = heads_[k];
  loss_gradient(loss, outputs_, labels, scale);
  linear_parameter_gradient(kHeadFc2, hidden_.data(), outputs_.data(), gradient + fc2.weight, gradient + fc2.bias);
  hidden_gradient_.fill(Lanes{});
  linear_input_gradient(kHeadFc2, parameters + fc2.weight, outputs_.data(), hidden_gradient_.data());
  relu_backward(hidden_, DropoutMask::kScale, hidden_gradient_);
  linear_parameter_gradient(kHeadFc1, features_.data(), hidden_gradient_.data(), gradient + fc1.weight, gradient + fc1.bias);
  linear_input_gradient(kHeadFc1, parameters + fc1.weight, hidden_gradient_.data(), features_gradient_.data());
}

void LenetGroup::backward_encoder(const float* parameters, float* gradient) {
  relu_backward(features_, DropoutMask::kScale, features_gradient_);
  linear_parameter_gradient(kFc, pooled2_.data(), features_gradient_.data(), gradient + fc_.weight, gradient + fc_.bias);
  pooled2_gradient_.fill(Lanes{});
  linear_input_gradient(kFc, parameters + fc_.weight, features_gradient_.data(), pooled2_gradient_.data());
  features_gradient_.fill(Lanes{});
  relu_backward(pooled2_, 1, pooled2_gradient_);
  conv_pool_parameter_gradient(kConv2, pooled1_.data(), pooled2_gradient_.data(), choice2_.data(), gradient + conv2_.weight,
                               gradient + conv2_.bias);
  conv_pool_input_gradient(kConv2, parameters + conv2_.weight, pooled2_gradient_.data(), choice2_.data(), pooled1_gradient_.data());
  relu_backward(pooled1_, 1, pooled1_gradient_);
  conv_pool_parameter_gradient(kConv1, image_.data(), pooled1_gradient_.data(), choice1_.data(), gradient + conv1_.weight,
                               gradient + conv1_.bias);
}

}  // namespace paretofl
