#pragma once

#include "paretofl/rewards/reward.h"
#include "python/bindings/python_object.h"

namespace paretofl::python {

/// A reward that Python code defines (python/paretofl/reward.py says how).
class PythonReward : public Reward {
 public:
  /// The caller holds the interpreter's lock.
  PythonReward(std::string name, nanobind::object reward) : name_(std::move(name)), reward_(std::move(reward)) {}

  /// Bytes of a completion that are no UTF-8 come to Python as the replacement character.
  std::vector<double> scores(std::span<const Answer> answers) const override;

 private:
  std::string name_;
  PythonObject reward_;
};

}  // namespace paretofl::python
