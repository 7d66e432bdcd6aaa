#include "python/bindings/python_environment.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interpreter.h"

namespace paretofl::python {
namespace {

std::span<double> writable(const nb::object& episodes, const char* name) {
  const auto array = nb::cast<nb::ndarray<double, nb::ndim<1>, nb::c_contig>>(episodes.attr(name));
  return {array.data(), array.size()};
}

}  // namespace

PythonEnvironment::PythonEnvironment(EnvironmentSpec spec, nb::object episodes)
    : Environment(std::move(spec)),
      episodes_(std::move(episodes)),
      step_(episodes_.attr("step")),
      action_(writable(episodes_, "action")),
      observation_(writable(episodes_, "observation")),
      reward_(writable(episodes_, "reward")) {}

PythonEnvironment::~PythonEnvironment() {
  const nb::gil_scoped_acquire lock;
  try {
    episodes_.attr("close")();
  } catch (nb::python_error& exception) {
    exception.discard_as_unraisable("closing an environment");
  }
  step_.reset();
  episodes_.reset();
}

void PythonEnvironment::start(Random random) {
  actions_.clear();
  with_interpreter("environment", [&] { episodes_.attr("reset")(static_cast<std::uint32_t>(random())); });
  check_observation();
}

void PythonEnvironment::check_observation() const {
  for (const double x : observation_)
    expect(std::isfinite(x), "{}: expected finite observations, found {} at step {}", spec().id, x, steps());
}

StepOutcome PythonEnvironment::play(std::span<const double> action) {
  std::copy(action.begin(), action.end(), action_.begin());
  return with_interpreter("environment", [&] {
    const auto [terminated, truncated] = nb::cast<std::pair<bool, bool>>(step_());
    return StepOutcome{.terminated = terminated, .truncated = truncated};
  });
}

bool PythonEnvironment::advance(std::span<const double> action, std::span<double> reward) {
  actions_.insert(actions_.end(), action.begin(), action.end());
  const StepOutcome outcome = play(action);
  check_observation();
  std::copy(reward_.begin(), reward_.end(), reward.begin());
  if (outcome.truncated) truncate();
  return outcome.terminated;
}

void PythonEnvironment::write_observation(std::span<double> observation) const {
  std::copy(observation_.begin(), observation_.end(), observation.begin());
}

Record PythonEnvironment::save_state() const {
  Record state;
  state.arrays.emplace("actions", Array(actions_));
  state.arrays.emplace("observation", Array(observation_));
  return state;
}

void PythonEnvironment::load_state(const Record& state) {
  const std::size_t width = spec().action.size();
  const auto count = static_cast<std::size_t>(steps());
  const auto saved = double_array(state, "actions", count * width);
  for (std::size_t i = 0; i < count; ++i) spec().action.check(saved.subspan(i * width, width), spec().id);
  start(start_random());
  actions_.assign(saved.begin(), saved.end());
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const StepOutcome outcome = play(saved.subspan(i * width, width));
    same = same && (i + 1 == count || !outcome.ended());
  }
  const auto observation = double_array(state, "observation", observation_.size());
  same = same && std::equal(observation.begin(), observation.end(), observation_.begin());
  expect(same,
         "{}: expected an environment whose episodes are determined by their seed and actions, found another one when the {} steps of the "
         "saved episode were taken again",
         spec().id, count);
}

}  // namespace paretofl::python
