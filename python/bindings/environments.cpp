#include "paretofl/environments/environment.h"

#include "paretofl/environments/environment_batch.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_environment.h"

namespace paretofl::python {
namespace {

/// A NumPy array of the observations' type that owns a copy of the values.
template <class T>
nb::object converted(std::span<const double> values, std::vector<std::size_t> shape) {
  auto* copy = new T[values.size()];
  const nb::capsule owner(copy, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
  std::transform(values.begin(), values.end(), copy, [](double value) { return static_cast<T>(value); });
  return nb::cast(nb::ndarray<nb::numpy, T>(copy, shape.size(), shape.data(), owner));
}

nb::object observation_array(const ObservationSpace& space, std::span<const double> values, std::vector<std::size_t> shape) {
  switch (space.type) {
    case ObservationSpace::Type::kInt32:
      return converted<std::int32_t>(values, std::move(shape));
    case ObservationSpace::Type::kFloat32:
      return converted<float>(values, std::move(shape));
    case ObservationSpace::Type::kFloat64:
      break;
  }
  return converted<double>(values, std::move(shape));
}

const char* type_name(ObservationSpace::Type type) {
  switch (type) {
    case ObservationSpace::Type::kInt32:
      return "int32";
    case ObservationSpace::Type::kFloat32:
      return "float32";
    case ObservationSpace::Type::kFloat64:
      break;
  }
  return "float64";
}

/// One environment whose steps Python code takes. The first reset needs a seed.
class SteppedEnvironment {
 public:
  explicit SteppedEnvironment(const std::string& id)
      : environment_(make_environment(id)), observation_(spec().observation.size()), reward_(environment_->num_objectives()) {}

  const EnvironmentSpec& spec() const { return environment_->spec(); }

  nb::object reset(std::optional<std::uint64_t> seed) {
    if (seed) {
      environment_->reset({.seed = *seed}, observation_);
    } else {
      environment_->reset(observation_);
    }
    return observation();
  }

  nb::tuple step_discrete(double action) { return step({&action, 1}); }
  nb::tuple step_continuous(const Doubles& action) { return step(span_of(action)); }

  nb::dict save() const { return dict_of(environment_->save()); }
  void load(const nb::dict& state) { environment_->load(record_of(state)); }

 private:
  nb::tuple step(std::span<const double> action) {
    const StepOutcome outcome = environment_->step(action, observation_, reward_);
    return nb::make_tuple(observation(), converted<double>(reward_, {reward_.size()}), outcome.terminated, outcome.truncated);
  }

  nb::object observation() const { return observation_array(spec().observation, observation_, {observation_.size()}); }

  std::unique_ptr<Environment> environment_;
  std::vector<double> observation_;
  std::vector<double> reward_;
};

std::vector<StreamId> streams_of(const std::vector<std::uint64_t>& seeds) {
  std::vector<StreamId> streams;
  for (const std::uint64_t seed : seeds) streams.push_back({.seed = seed});
  return streams;
}

/// Copies of an environment that take their steps in one call.
class SteppedBatch {
 public:
  SteppedBatch(const std::string& id, const std::vector<std::uint64_t>& seeds) : batch_(id, streams_of(seeds)) {}
  SteppedBatch(const SteppedBatch&) = delete;
  SteppedBatch& operator=(const SteppedBatch&) = delete;

  nb::object reset(const std::optional<std::vector<std::uint64_t>>& seeds) {
    if (seeds) {
      batch_.reset(streams_of(*seeds));
    } else {
      batch_.reset();
    }
    return rows(batch_.observations());
  }

  /// Observations to act on, what the step led to, rewards, terminated, truncated.
  nb::tuple step(const Doubles& actions) {
    batch_.step(span_of(actions));
    const std::size_t n = batch_.size();
    const std::span<const StepOutcome> outcomes = batch_.outcomes();
    auto* terminated = new bool[n];
    const nb::capsule terminated_owner(terminated, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
    auto* truncated = new bool[n];
    const nb::capsule truncated_owner(truncated, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
    bool any_ended = false;
    for (std::size_t i = 0; i < n; ++i) {
      terminated[i] = outcomes[i].terminated;
      truncated[i] = outcomes[i].truncated;
      any_ended = any_ended || outcomes[i].ended();
    }
    return nb::make_tuple(rows(batch_.observations()), any_ended ? rows(batch_.next_observations()) : nb::none(),
                          converted<double>(batch_.rewards(), {n, batch_.rewards().size() / n}),
                          nb::ndarray<nb::numpy, bool>(terminated, {n}, terminated_owner),
                          nb::ndarray<nb::numpy, bool>(truncated, {n}, truncated_owner));
  }

  nb::dict save() const { return dict_of(batch_.save()); }
  void load(const nb::dict& state) { batch_.load(record_of(state)); }

 private:
  nb::object rows(std::span<const double> values) const {
    const std::size_t n = batch_.size();
    return observation_array(batch_.spec().observation, values, {n, values.size() / n});
  }

  EnvironmentBatch batch_;
};

/// What Gymnasium's spaces are made of.
nb::dict description_of(const EnvironmentSpec& spec) {
  nb::dict description;
  description["observation_type"] = type_name(spec.observation.type);
  description["observation_low"] = copied_to_numpy(std::span<const double>(spec.observation.low));
  description["observation_high"] = copied_to_numpy(std::span<const double>(spec.observation.high));
  description["choices"] = spec.action.choices;
  description["action_low"] = copied_to_numpy(std::span<const double>(spec.action.low));
  description["action_high"] = copied_to_numpy(std::span<const double>(spec.action.high));
  description["objectives"] = spec.objective_names;
  description["max_episode_steps"] = spec.max_episode_steps;
  return description;
}

}  // namespace

void bind_environments(nb::module_& module) {
  module.def("environment_names", [] {
    std::vector<std::string> names;
    for (const RegistryEntry* entry : environments().entries()) {
      if (entry->name != kPythonEnvironment) names.push_back(entry->name);
    }
    return names;
  });
  module.def(
      "environment_description", [](const std::string& id) { return description_of(make_environment(id)->spec()); }, "id"_a);
  nb::class_<SteppedEnvironment>(module, "SteppedEnvironment")
      .def(nb::init<const std::string&>(), "id"_a)
      .def("reset", &SteppedEnvironment::reset, "seed"_a.none())
      .def("step_discrete", &SteppedEnvironment::step_discrete, "action"_a)
      .def("step_continuous", &SteppedEnvironment::step_continuous, "action"_a)
      .def("save", &SteppedEnvironment::save)
      .def("load", &SteppedEnvironment::load, "state"_a);
  nb::class_<SteppedBatch>(module, "SteppedBatch")
      .def(nb::init<const std::string&, const std::vector<std::uint64_t>&>(), "id"_a, "seeds"_a)
      .def("reset", &SteppedBatch::reset, "seeds"_a.none())
      .def("step", &SteppedBatch::step, "actions"_a)
      .def("save", &SteppedBatch::save)
      .def("load", &SteppedBatch::load, "state"_a);
}

}  // namespace paretofl::python
