#include "paretofl/local/parameter_training.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {

void TrainingOptions::describe(OptionVisitor& visit) {
  visit.integer("epochs", epochs, 1, kMaxInt, "passes over the examples");
  visit.integer("batch", batch, 1, kMaxInt, "examples per step of the optimizer");
  visit.integer("part", part, 1, kMaxInt, "examples that one thread computes at a time; it affects rounding");
  visit.real("learning_rate", learning_rate, 0, kInfinity, "largest rate, at the end of the warm-up");
  visit.real("final_rate", final_rate, 0, 1, "rate of the last step, relative to the largest");
  visit.real("warm_up", warm_up, 0, 1, "share of the steps during which the rate rises");
  visit.real("weight_decay", weight_decay, 0, kInfinity, "weight decay of matrices, multiplied by the learning rate in each step");
  visit.real("clip", clip, 0, kInfinity, "the gradient is scaled down to this norm; 0: never");
}

ParameterTraining::ParameterTraining(const TrainingOptions& options, const TrainingLoss& loss, std::uint64_t seed, ThreadPool& pool,
                                     std::vector<float> theta)
    : options_(options),
      loss_(loss),
      seed_(seed),
      pool_(pool),
      theta_(std::move(theta)),
      adam_(theta_.size(), options.learning_rate),
      steps_per_epoch_((static_cast<std::int64_t>(loss.examples()) + options.batch - 1) / options.batch),
      gradient_(theta_.size()) {
  expect(loss.examples() > 0, "training: expected at least one example, found none");
  expect(theta_.size() == loss.layout()->size(), "training: expected {} parameters, found {}", loss.layout()->size(), theta_.size());
}

double ParameterTraining::rate() const {
  const auto step = static_cast<double>(done_ + 1), all = static_cast<double>(steps());
  const double rising = options_.warm_up * all;
  if (step < rising) return options_.learning_rate * step / rising;
  const double progress = all > rising ? (step - rising) / (all - rising) : 1;
  return options_.learning_rate * (options_.final_rate + (1 - options_.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * progress)));
}

std::vector<std::size_t> ParameterTraining::minibatch() const {
  std::vector<std::size_t> order(loss_.examples());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random({.seed = seed_, .round = static_cast<std::uint32_t>(done_ / steps_per_epoch_)}, "order").shuffle(std::span(order));
  const auto first = static_cast<std::size_t>(done_ % steps_per_epoch_ * options_.batch);
  const std::size_t last = std::min(order.size(), first + static_cast<std::size_t>(options_.batch));
  return {order.begin() + static_cast<std::ptrdiff_t>(first), order.begin() + static_cast<std::ptrdiff_t>(last)};
}

double ParameterTraining::add_gradients(std::span<const std::size_t> batch) {
  const auto part = static_cast<std::size_t>(options_.part);
  const std::size_t parts = (batch.size() + part - 1) / part;
  parts_.resize(std::max(parts_.size(), parts), std::vector<float>(theta_.size()));
  std::vector<double> losses(parts);
  pool_.for_each(parts, [&](std::size_t i) {
    losses[i] = loss_.sum(batch.subspan(i * part, std::min(part, batch.size() - i * part)), theta_, parts_[i]);
  });
  std::fill(gradient_.begin(), gradient_.end(), 0.0F);
  for (std::size_t i = 0; i < parts; ++i) {
    for (std::size_t j = 0; j < gradient_.size(); ++j) gradient_[j] += parts_[i][j];
  }
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

double ParameterTraining::advance() {
  const std::vector<std::size_t> batch = minibatch();
  double weight = 0;
  for (const std::size_t example : batch) weight += loss_.weight(example);
  const double loss = add_gradients(batch) / weight;
  double squares = 0;
  for (const float g : gradient_) squares += static_cast<double>(g) * g;
  const double norm = std::sqrt(squares) / weight;
  expect(std::isfinite(loss) && std::isfinite(norm), "training: expected a finite loss and gradient in step {}, found {} and {}", done_ + 1,
         loss, norm);
  const double shrink = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1;
  const auto scale = static_cast<float>(shrink / weight);
  for (float& g : gradient_) g *= scale;

  const double now = rate();
  const auto keep = static_cast<float>(1 - now * options_.weight_decay);
  for (const Slice& slice : loss_.layout()->slices()) {
    if (slice.shape.size() < 2) continue;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) theta_[i] *= keep;
  }
  adam_.set_rate(now);
  adam_.step(gradient_, theta_);
  ++done_;
  return loss;
}

Record ParameterTraining::save() const {
  Record state;
  state.arrays.emplace("theta", Array(std::span<const float>(theta_)));
  state.records.emplace("adam", adam_.save());
  state.scalars.emplace("steps", static_cast<double>(done_));
  return state;
}

void ParameterTraining::load(const Record& state) {
  const auto theta = float_array(state, "theta", theta_.size());
  const std::int64_t done = count_scalar(state, "steps");
  expect(done <= steps(), "training: expected a state of at most {} steps, found {}", steps(), done);
  adam_.load(state.record("adam"));
  theta_.assign(theta.begin(), theta.end());
  done_ = done;
}

}  // namespace paretofl
