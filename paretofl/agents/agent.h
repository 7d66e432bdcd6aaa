#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/parameters.h"
#include "paretofl/environments/environment.h"
#include "paretofl/local/learner.h"
#include "paretofl/local/local_training.h"
#include "paretofl/models/network_graph.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// The actions of a trained model, without exploration. Owns scratch memory: one thread at a time.
class Policy {
 public:
  virtual ~Policy() = default;
  /// The action [A] that theta [d] takes at an observation [D].
  virtual void act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) = 0;
};

/// A reinforcement-learning algorithm for one environment: its networks, how they act and how a client
/// trains them. Immutable, and safe to share between threads; what it makes is not.
class Agent {
 public:
  virtual ~Agent() = default;

  /// Of theta: the networks that clients send, which are those that are trained unless an option adds to them.
  virtual const std::shared_ptr<const Layout>& layout() const = 0;
  /// Values of theta to begin with; target networks in it are copies of those that they follow.
  virtual Parameters initial_parameters(const Random& random) const = 0;
  /// How a trained model acts. Agents whose networks take a preference as an input act under this one; others ignore it.
  virtual std::unique_ptr<Policy> policy(const Preference& preference) const = 0;
  /// Of an agent whose networks take a preference as an input, those at which a run evaluates one model: the points of a Pareto front.
  /// Default: none.
  virtual std::vector<Preference> front_preferences() const { return {}; }
  /// The local step of a client, counted from 1 over all rounds, with which its networks begin to change. Default: the first.
  virtual std::int64_t first_learning_step() const { return 1; }
  /// What policy() computes, for other programs: from "observation" [N, D] to "action", with what it is chosen by where there is something.
  /// Default: none.
  virtual std::optional<NetworkGraph> network() const { return std::nullopt; }
  /// Trains in an environment of its own, rewards scalarized by `preference`. One local step is one step of the
  /// environment. Throws Error unless the options ask for Adam, whose moments stay with the learner.
  virtual std::unique_ptr<Learner> learner(const LocalTrainingOptions& options, const Preference& preference) const = 0;
};

/// Every agent by name, for the environment with the id given.
Registry<std::unique_ptr<Agent>(const Settings&, const std::string& environment)>& agents();

}  // namespace paretofl
