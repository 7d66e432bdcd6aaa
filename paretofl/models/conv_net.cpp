#include "paretofl/models/conv_net.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/models/conv_net_group.h"
#include "paretofl/models/head_loss.h"
#include "paretofl/models/initialize.h"
#include "paretofl/models/sample_losses.h"

namespace paretofl {

ConvNet::ConvNet(const ConvNetShape& shape, const std::vector<Head>& heads, ConvolutionMethod method)
    : shape_(shape),
      layout_(conv_net_layout(shape, heads)),
      sizes_{.parameters = layout_->size(), .inputs = shape.inputs(), .heads = heads},
      group_(std::make_unique<ConvNetGroup>(shape, *layout_, heads, method)),
      masks_(1 + heads.size()) {}

ConvNet::~ConvNet() = default;

void ConvNet::initialize(Random random, std::span<float> parameters) const { initialize_by_fan_in(*layout_, random, parameters); }

void ConvNet::jacobian(std::span<const float> parameters, const Batch& batch, Random dropout, std::span<double> losses,
                       std::span<float> jacobian) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the Jacobian", sizes_.objectives() * sizes_.parameters, jacobian.size());
  std::fill(jacobian.begin(), jacobian.end(), 0.0F);
  passes_.clear();
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    passes_.push_back({.objective = k, .weight = 1, .gradient = jacobian.data() + k * sizes_.parameters});
  }
  train(parameters.data(), batch, dropout, passes_, losses.data());
}

void ConvNet::weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights,
                                Random dropout, std::span<double> losses, std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("objective weights", sizes_.objectives(), objective_weights.size());
  ModelSizes::check_size("losses", sizes_.objectives(), losses.size());
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  passes_.clear();
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    passes_.push_back({.objective = k, .weight = objective_weights[k], .gradient = gradient.data()});
  }
  train(parameters.data(), batch, dropout, passes_, losses.data());
}

double ConvNet::objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random dropout,
                                   std::span<float> gradient) {
  sizes_.check_input(parameters, batch);
  sizes_.check_objective(objective);
  ModelSizes::check_size("numbers in the gradient", sizes_.parameters, gradient.size());
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  const HeadPass pass{.objective = static_cast<std::size_t>(objective), .weight = 1, .gradient = gradient.data()};
  double loss = 0;
  train(parameters.data(), batch, dropout, {&pass, 1}, &loss);
  return loss;
}

void ConvNet::add_clipped_gradients(std::span<const float> parameters, const Batch& batch, const GradientTerms& terms, Random dropout,
                                    const ClippedSums& sums) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("losses", terms.terms.size(), sums.losses.size());
  ModelSizes::check_size("numbers in the gradients", terms.vectors * sizes_.parameters, sums.gradients.size());
  masks_[0].draw(dropout.substream("encoder"), shape_.features, batch.size);
  for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
    masks_[1 + k].draw(dropout.substream("head", k), shape_.head_hidden, batch.size);
  }
  group_->begin_batch(parameters.data());
  SampleLosses losses(terms.terms.size());
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    group_->load_images(batch.inputs.data() + first * sizes_.inputs, count);
    group_->forward_encoder(parameters.data(), &masks_[0], first);
    for (std::size_t t = 0; t < terms.terms.size(); ++t) {
      const auto [objective, weight, vector] = terms.terms[t];
      const auto labels = batch.labels.subspan(objective * batch.size + first, count);
      group_->forward_head(parameters.data(), objective, &masks_[1 + objective], first);
      losses.set(t, count, [&, k = objective](Lanes alone) { return loss_sum(sizes_.heads[k].loss, group_->outputs(), labels, alone); });
      group_->keep_head_gradient(parameters.data(), objective, labels, static_cast<float>(weight));
      if (t + 1 == terms.terms.size() || terms.terms[t + 1].vector != vector) {
        group_->add_clipped_gradient(parameters.data(), count, sums.clip,
                                     sums.gradients.subspan(vector * sizes_.parameters, sizes_.parameters));
      }
    }
    losses.add_clipped(count, sums);
  }
}

void ConvNet::evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> correct) {
  sizes_.check_input(parameters, batch);
  ModelSizes::check_size("loss sums", sizes_.objectives(), loss_sums.size());
  ModelSizes::check_size("correct counts", sizes_.objectives(), correct.size());
  group_->begin_batch(parameters.data());
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    group_->load_images(batch.inputs.data() + first * sizes_.inputs, count);
    group_->forward_encoder(parameters.data(), nullptr, first);
    for (std::size_t k = 0; k < sizes_.objectives(); ++k) {
      const auto labels = batch.labels.subspan(k * batch.size + first, count);
      group_->forward_head(parameters.data(), k, nullptr, first);
      for_each_sum_part(count, [&](std::size_t from, std::size_t number) {
        loss_sums[k] += loss_sum(sizes_.heads[k].loss, group_->outputs(), labels.subspan(from, number), Lanes{} + 1, from);
      });
      correct[k] += correct_sum(sizes_.heads[k].loss, group_->outputs(), labels);
    }
  }
}

void ConvNet::train(const float* parameters, const Batch& batch, const Random& dropout, std::span<const HeadPass> passes, double* losses) {
  masks_[0].draw(dropout.substream("encoder"), shape_.features, batch.size);
  for (const HeadPass& pass : passes) {
    masks_[1 + pass.objective].draw(dropout.substream("head", pass.objective), shape_.head_hidden, batch.size);
  }
  const auto samples = static_cast<double>(batch.size);
  std::fill_n(losses, passes.size(), 0.0);
  group_->begin_batch(parameters);
  for (std::size_t first = 0; first < batch.size; first += kLanes) {
    const std::size_t count = std::min(kLanes, batch.size - first);
    group_->load_images(batch.inputs.data() + first * sizes_.inputs, count);
    group_->forward_encoder(parameters, &masks_[0], first);
    for (std::size_t p = 0; p < passes.size(); ++p) {
      const auto [objective, weight, gradient] = passes[p];
      const auto labels = batch.labels.subspan(objective * batch.size + first, count);
      group_->forward_head(parameters, objective, &masks_[1 + objective], first);
      for_each_sum_part(count, [&, loss = sizes_.heads[objective].loss](std::size_t from, std::size_t number) {
        losses[p] += loss_sum(loss, group_->outputs(), labels.subspan(from, number), Lanes{} + 1, from) / samples;
      });
      group_->backward_head(parameters, objective, labels, static_cast<float>(weight / samples), gradient);
      const bool gradient_complete = p + 1 == passes.size() || passes[p + 1].gradient != gradient;
      if (gradient_complete) group_->backward_encoder(parameters, gradient);
    }
  }
}

}  // namespace paretofl
