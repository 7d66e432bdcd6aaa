#pragma once

#include "paretofl/agents/envelope_agent.h"
#include "paretofl/agents/envelope_update.h"
#include "paretofl/agents/episode_preference.h"
#include "paretofl/agents/target_networks.h"

namespace paretofl {

/// The action a of the largest w . Q(s, a, w) at an observation s under a preference w, by the network that theta begins with.
class EnvelopePolicy : public Policy {
 public:
  EnvelopePolicy(const DenseShape& shape, const Preference& preference);

  void act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) override;

  /// w from now on [M].
  void set_preference(std::span<const float> preference);

 private:
  std::span<const float> preference() const { return std::span(input_).last(objectives_); }

  std::size_t objectives_;
  DenseNet network_;
  std::vector<float> input_;  // an observation and the preference
};

/// Epsilon-greedy exploration under one preference for each episode, and the gradient step of envelope Q-learning; see EnvelopeAgent. theta
/// is the online network [d], and the target network [d] after it where that is sent.
class EnvelopeRule : public OffPolicyRule {
 public:
  EnvelopeRule(const EnvelopeOptions& options, double rate, const ActionSpace& actions, const DenseShape& shape,
               const Preference& preference);

  KeptReward kept_reward() const override { return KeptReward::kOfEachObjective; }
  void start(std::span<const float> theta) override;
  void choose(std::span<const float> theta, std::span<const double> observation, std::int64_t steps, bool warming_up, Random& explore,
              std::span<double> action, std::span<double> remembered) override;
  void after_step(std::span<float> theta, std::int64_t steps, bool ended) override;
  void update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) override;
  Record save() const override;
  void load(const Record& state) override;

 private:
  EnvelopeOptions options_;
  ActionSpace actions_;
  std::size_t objectives_;
  EnvelopePolicy policy_;
  EnvelopeUpdate update_;
  TargetNetworks target_;
  EpisodePreference acting_;
  double homotopy_ = 0;       // of the next gradient step
  std::vector<float> drawn_;  // [W, M], for a gradient step
};

}  // namespace paretofl
