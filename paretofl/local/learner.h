#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// The report of a learner on its local training.
struct LearnerReport {
  double num_samples = 0;      ///< number of samples it was based on
  std::vector<double> losses;  ///< [M] mean training losses, or empty if the learner has none
};

/// Trains the model of one client between two exchanges, under its private preference. The state it collects
/// (replay buffer, optimizer moments, the state of its environment) stays with it from round to round.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual const std::shared_ptr<const Layout>& layout() const = 0;  ///< of theta

  /// Trains theta [d] in place for the local steps it was made with. Random numbers come from `stream` and the
  /// learner's state alone. Throws Error if the training diverges; theta is then of no use.
  virtual LearnerReport train(std::span<float> theta, StreamId stream) = 0;

  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

}  // namespace paretofl
