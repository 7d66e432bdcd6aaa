#pragma once

#include "paretofl/agents/scalarized_environment.h"
#include "paretofl/core/parameters.h"
#include "paretofl/local/learner.h"
#include "paretofl/local/local_training.h"
#include "paretofl/local/proximal_term.h"

namespace paretofl {

/// The options of every algorithm that learns from a replay buffer.
struct OffPolicyOptions {
  std::int64_t batch_size = 32;
  std::int64_t buffer_size = 1'000'000;
  std::int64_t learning_starts = 100;
  double gamma = 0.99;
  std::int64_t train_freq = 1;
  std::int64_t gradient_steps = 1;
  std::vector<double> hidden = {64, 64};
  bool send_target = false;

  void describe(OptionVisitor& visit);
  /// The step, counted from 1, that a learner's first gradient steps follow: the first one that train_freq divides after learning_starts.
  std::int64_t first_learning_step() const { return (learning_starts / train_freq + 1) * train_freq; }
  /// The widths of a network with the hidden layers. Throws Error unless they are whole numbers.
  std::vector<std::size_t> widths(std::size_t inputs, std::size_t outputs) const;
  /// The layout of what clients send: the networks that targets follow, others that are trained, and with send_target the targets behind
  /// them, their slices named "target_" and the name of what they follow.
  std::shared_ptr<const Layout> sent(std::vector<Slice> followed, std::vector<Slice> others = {}) const;
  /// Values for that layout: networks as initialize_by_fan_in draws them, their targets equal to them.
  Parameters drawn(const std::shared_ptr<const Layout>& layout, const Random& random) const;
};

/// The part in which off-policy algorithms differ: exploration and the gradient step. Owns the optimizer's moments
/// and the target networks.
class OffPolicyRule {
 public:
  virtual ~OffPolicyRule() = default;

  /// What the buffer has to keep for it.
  virtual KeptReward kept_reward() const { return KeptReward::kScalarized; }
  /// Before the first step: targets that stay here are copies of the networks that are trained, moments are zero.
  virtual void start(std::span<const float> theta) = 0;
  /// Writes the action [A] after `steps` steps so far, and what the buffer is to remember of it [A]. During the warm-up
  /// actions are uniform.
  virtual void choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up,
                      Random& explore, std::span<double> action, std::span<double> remembered) = 0;
  /// After step number `steps`, counted from 1, with which the episode may have ended.
  virtual void after_step(std::span<float> /*theta*/, std::int64_t /*steps*/, bool /*ended*/) {}
  /// One gradient step. Where it draws, it does so from `random`.
  virtual void update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) = 0;

  virtual Record save() const = 0;
  virtual void load(const Record& state) = 0;
};

/// A client that learns to act from its replay buffer, in the order of steps of Stable-Baselines3: train_freq steps in the
/// environment, then gradient steps, none before learning_starts steps are over. The place in that order, the count of
/// steps, the buffer, the environment's state and the rule's own stay from round to round; but after a training that failed,
/// for example because the loss was not a number, the rule starts again with the next model.
class OffPolicyLearner : public Learner {
 public:
  /// `environment` is an environment's id. Throws Error unless the local options ask for Adam, which the rules use.
  OffPolicyLearner(OffPolicyOptions options, LocalTrainingOptions local, const std::string& environment, const Preference& preference,
                   std::unique_ptr<OffPolicyRule> rule, std::shared_ptr<const Layout> layout);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  LearnerReport train(std::span<float> theta, StreamId stream) override;
  void save(Record& state) const override;
  void load(const Record& state) override;

 private:
  OffPolicyOptions options_;
  LocalTrainingOptions local_;
  std::shared_ptr<const Layout> layout_;
  ScalarizedEnvironment environment_;
  std::unique_ptr<OffPolicyRule> rule_;
  TransitionBatch batch_;
  bool starts_ = true;               // the rule, with the next model
  std::int64_t steps_ = 0;           // of the environment, over all rounds
  std::int64_t since_training_ = 0;  // steps since the last gradient steps were due
};

}  // namespace paretofl
