#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"

namespace paretofl {

/// A client's local training on rewards r_0 .. r_{K-1} of its own, which weights w on the simplex scalarize before
/// advantages are taken (FedMOA, section 2). Clients may have different rewards, and different numbers of them. A round's
/// steps come once each and in order.
class RewardSteps {
 public:
  virtual ~RewardSteps() = default;

  virtual double num_samples() const = 0;                            ///< training examples of the client
  virtual const std::string& task() const = 0;                       ///< label of the kind of task
  virtual const std::vector<std::string>& reward_names() const = 0;  ///< [K]; the first is the accuracy of the task
  virtual const std::shared_ptr<const Layout>& layout() const = 0;   ///< of theta
  virtual std::size_t hidden_size() const = 0;                       ///< H

  /// Throws Error unless a round of so many local steps uses all of the completions that are drawn for it.
  virtual void expect_local_steps(std::int64_t) const {}
  /// Starts a round: random numbers come from `stream` from here on.
  virtual void start_round(StreamId stream) = 0;
  /// Loss of sum_k w_k r_k at theta [d] of step `step`, from 0 in every round; writes its gradient [d]. Unless `hidden` is
  /// empty, writes to its row k [H] the gradient of the loss of r_k alone with respect to the activations of one layer.
  virtual double step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
                      std::span<double> hidden) = 0;
  /// Figures of the round so far by name, such as "reward" [K] or "response_length" [1].
  virtual std::map<std::string, std::vector<double>> figures() const = 0;

  /// Whether there are test questions.
  virtual bool has_evaluation() const { return true; }
  /// Mean rewards [K] of what theta answers to the test questions of the client's task.
  virtual std::vector<double> evaluate(std::span<const float> theta) const = 0;
};

}  // namespace paretofl
