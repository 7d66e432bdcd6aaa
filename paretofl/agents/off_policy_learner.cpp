#include "paretofl/agents/off_policy_learner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/models/initialize.h"

namespace paretofl {
namespace {

constexpr std::string_view kTargetPrefix = "target_";

}  // namespace

void OffPolicyOptions::describe(OptionVisitor& visit) {
  visit.integer("batch_size", batch_size, 1, kMaxInt, "transitions per gradient step");
  visit.integer("buffer_size", buffer_size, 1, kMaxInt, "transitions that the replay buffer holds");
  visit.integer("learning_starts", learning_starts, 0, kMaxInt, "steps of random actions before the first gradient step");
  visit.real("gamma", gamma, 0, 1, "discount factor");
  visit.integer("train_freq", train_freq, 1, kMaxInt, "steps between gradient steps");
  visit.integer("gradient_steps", gradient_steps, -1, kMaxInt, "gradient steps at a time; -1: as many as steps were taken");
  visit.reals("hidden", hidden, 1, 65536, "widths of the hidden layers");
  visit.boolean("send_target", send_target, "also send the target networks, so that they are averaged like the trained ones");
}

std::vector<std::size_t> OffPolicyOptions::widths(std::size_t inputs, std::size_t outputs) const {
  std::vector<std::size_t> widths = {inputs};
  for (const double width : hidden) {
    expect(width == std::floor(width), "agent: expected whole numbers in hidden, found {}", width);
    widths.push_back(static_cast<std::size_t>(width));
  }
  widths.push_back(outputs);
  return widths;
}

std::shared_ptr<const Layout> OffPolicyOptions::sent(std::vector<Slice> followed, std::vector<Slice> others) const {
  std::vector<Slice> slices = followed;
  std::ranges::move(others, std::back_inserter(slices));
  for (Slice& target : followed) {
    if (!send_target) break;
    target.name.insert(0, kTargetPrefix);
    slices.push_back(std::move(target));
  }
  return std::make_shared<Layout>(std::move(slices));
}

Parameters OffPolicyOptions::drawn(const std::shared_ptr<const Layout>& layout, const Random& random) const {
  Parameters parameters(layout);
  const std::span<float> values = parameters.values();
  initialize_by_fan_in(*layout, random, values);
  std::size_t followed = 0;
  for (const Slice& slice : layout->slices()) {
    if (!slice.name.starts_with(kTargetPrefix)) continue;
    std::ranges::copy(values.subspan(followed, slice.range.size()), values.begin() + static_cast<std::ptrdiff_t>(slice.range.begin));
    followed += slice.range.size();
  }
  return parameters;
}

OffPolicyLearner::OffPolicyLearner(OffPolicyOptions options, LocalTrainingOptions local, const std::string& environment,
                                   const Preference& preference, std::unique_ptr<OffPolicyRule> rule, std::shared_ptr<const Layout> layout)
    : options_(std::move(options)),
      local_(std::move(local)),
      layout_(std::move(layout)),
      environment_(environment, preference, static_cast<std::size_t>(options_.buffer_size), rule->kept_reward()),
      rule_(std::move(rule)) {
  expect(local_.optimizer == "adam", "agent: expected strategy.optimizer adam, found {}", local_.optimizer);
}

LearnerReport OffPolicyLearner::train(std::span<float> theta, StreamId stream) {
  if (steps_ == 0) environment_.begin(stream);
  if (starts_) rule_->start(theta);
  starts_ = true;  // unless this training ends well
  const std::vector<float> start(theta.begin(), theta.end());
  const ProximalTerm proximal{.mu = local_.proximal, .start = start};
  Random explore(stream, "explore");
  Random replay(stream, "replay");
  std::vector<double> action(environment_.spec().action.size());
  std::vector<double> remembered(action.size());
  for (std::int64_t step = 0; step < local_.local_steps; ++step) {
    rule_->choose(theta, environment_.observation(), steps_, steps_ < options_.learning_starts, explore, action, remembered);
    const bool ended = environment_.step(action, remembered);
    ++steps_;
    rule_->after_step(theta, steps_, ended);
    if (++since_training_ < options_.train_freq) continue;
    since_training_ = 0;
    if (steps_ <= options_.learning_starts) continue;
    const std::int64_t updates = options_.gradient_steps < 0 ? options_.train_freq : options_.gradient_steps;
    for (std::int64_t i = 0; i < updates; ++i) {
      environment_.buffer().sample(static_cast<std::size_t>(options_.batch_size), replay, batch_);
      rule_->update(theta, batch_, proximal, replay);
    }
  }
  starts_ = false;
  return {.num_samples = static_cast<double>(local_.local_steps), .losses = {}};
}

void OffPolicyLearner::save(Record& state) const {
  if (steps_ == 0) return;
  state.scalars.emplace("starts", starts_ ? 1 : 0);
  state.scalars.emplace("steps", static_cast<double>(steps_));
  state.scalars.emplace("since_training", static_cast<double>(since_training_));
  state.records.emplace("rule", rule_->save());
  state.records.emplace("environment", environment_.save());
}

void OffPolicyLearner::load(const Record& state) {
  if (state.empty()) return;
  const std::int64_t steps = count_scalar(state, "steps");
  const std::int64_t since_training = count_scalar(state, "since_training");
  expect(steps > 0 && since_training < options_.train_freq,
         "agent: expected at least one step, and fewer than {} since the last gradient steps, found {} and {}", options_.train_freq, steps,
         since_training);
  const std::int64_t starts = count_scalar(state, "starts");
  expect(starts <= 1, "agent: expected 0 or 1 for starts, found {}", starts);
  environment_.load(state.record("environment"));
  rule_->load(state.record("rule"));
  starts_ = starts == 1;
  steps_ = steps;
  since_training_ = since_training;
}

}  // namespace paretofl
