#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// A client's local training as a sequence of steps, each of which offers the gradients of all M objectives before theta
/// changes. Algorithms that set lambda at every local step need this. Unlike a GradientOracle it may have side effects
/// (draw completions with the theta of a step, train its critics), so a round's steps come once each and in order.
/// What it keeps from round to round (critics, controllers) is the client's own.
class ObjectiveSteps {
 public:
  virtual ~ObjectiveSteps() = default;

  virtual double num_samples() const = 0;
  virtual std::size_t num_objectives() const = 0;                   ///< M
  virtual const std::shared_ptr<const Layout>& layout() const = 0;  ///< of theta

  /// Starts a round: random numbers come from `stream` from here on.
  virtual void start_round(StreamId stream) = 0;
  /// Losses [M] and gradients [M, d] at theta [d] of step `step`, from 0 in every round.
  virtual void jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) = 0;
  /// Figures of the round so far by name, such as "reward" [M] or "kl" [1], the same names and sizes in every round and
  /// on every client; empty if there are none. The names "loss", "lambda", "gradient_norm",
  /// "step_lambda" and "step_cosine" are taken.
  virtual std::map<std::string, std::vector<double>> figures() const { return {}; }

  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

}  // namespace paretofl
