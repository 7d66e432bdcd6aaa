#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "paretofl/environments/environment.h"

namespace paretofl::python {

/// The id under which the engine makes environments of the problem whose run is under way.
inline constexpr const char* kPythonEnvironment = "python";

/// An environment whose steps Python code takes (python/paretofl/environments/episodes.py says how), each with the interpreter's lock.
/// Every episode starts with a seed from the engine's stream. What Python keeps cannot be read out, so a saved state has the actions of
/// the episode, which are taken again when it is loaded; an environment whose episodes are not determined by seed and actions is an Error
/// then.
class PythonEnvironment : public Environment {
 public:
  /// `episodes` has made an environment of its own. The caller holds the interpreter's lock.
  PythonEnvironment(EnvironmentSpec spec, nanobind::object episodes);
  ~PythonEnvironment() override;
  PythonEnvironment(const PythonEnvironment&) = delete;
  PythonEnvironment& operator=(const PythonEnvironment&) = delete;

 private:
  void start(Random random) override;
  bool advance(std::span<const double> action, std::span<double> reward) override;
  void write_observation(std::span<double> observation) const override;
  Record save_state() const override;
  void load_state(const Record& state) override;

  /// Takes a step and returns how it ended the episode.
  StepOutcome play(std::span<const double> action);
  void check_observation() const;

  nanobind::object episodes_;
  nanobind::object step_;          // its method
  std::span<double> action_;       // [A], which NumPy arrays of `episodes_` own, as the two below
  std::span<double> observation_;  // [D]
  std::span<double> reward_;       // [M]
  std::vector<double> actions_;    // [steps so far, A]
};

}  // namespace paretofl::python
