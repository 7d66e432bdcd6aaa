#include "paretofl/questions/question_set.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/option_reader.h"
#include "python/bindings/bindings.h"
#include "python/bindings/current_run.h"
#include "python/bindings/python_options.h"
#include "python/bindings/python_reward.h"
#include "python/bindings/python_solver.h"
#include "python/bindings/python_strategy.h"

namespace paretofl::python {
namespace {

/// What Python code says of a part that it registers.
struct Registration {
  std::string name;
  std::string summary;
  std::string reference;
  std::string origin;
  PythonOptions options;

  RegistryEntry documentation() const {
    return {name, summary, reference, [options = options](OptionVisitor& visit) { PythonOptions(options).describe(visit); }, origin};
  }
};

/// The object that Python code makes of a part with these options (python/paretofl/parts.py). The caller holds the interpreter's lock.
nb::object make(const std::string& kind, const std::string& name, const PythonOptions& options) {
  return nb::module_::import_("paretofl.parts").attr("make")(kind, name, options.arguments());
}

/// A factory that may replace itself while it is called, as where the constructor of a part registers the part again.
template <class Factory>
auto kept_while_called(Factory factory) {
  return [kept = std::make_shared<const Factory>(std::move(factory))](const auto&... arguments) {
    const auto held = kept;  // NOLINT(performance-unnecessary-copy-initialization): it outlives this object
    return (*held)(arguments...);
  };
}

template <class Options>
Options read(const Options& defaults, const Settings& settings, const std::string& where) {
  Options options = defaults;
  OptionReader reader(settings, where);
  options.describe(reader);
  reader.finish();
  return options;
}

void add_solver(const Registration& part) {
  solvers().add_or_replace({part.documentation(), kept_while_called([name = part.name, defaults = part.options](const Settings& settings) {
                              const PythonOptions options = read(defaults, settings, "solver");
                              return with_interpreter(name.c_str(), [&]() -> std::unique_ptr<WeightSolver> {
                                return std::make_unique<PythonSolver>(name, make("solver", name, options));
                              });
                            })});
}

void add_strategy(const Registration& part) {
  PythonStrategyOptions options;
  options.own = part.options;
  RegistryEntry documentation = part.documentation();
  documentation.describe = [options](OptionVisitor& visit) { PythonStrategyOptions(options).describe(visit); };
  strategies().add_or_replace(
      {documentation, kept_while_called([name = part.name, defaults = options](const Settings& settings, const Workload& workload) {
         const auto chosen = read(defaults, settings, "strategy");
         return with_interpreter(name.c_str(),
                                 [&] { return make_python_strategy(name, chosen, make("strategy", name, chosen.own), workload); });
       })});
}

void add_reward(const Registration& part) {
  rewards().add_or_replace({part.documentation(), kept_while_called([name = part.name, defaults = part.options](const Settings& settings) {
                              const PythonOptions options = read(defaults, settings, name);
                              return with_interpreter(name.c_str(), [&]() -> std::unique_ptr<Reward> {
                                return std::make_unique<PythonReward>(name, make("reward", name, options));
                              });
                            })});
}

/// The questions of one split, a list of (prompt, reference, solution) that Python has checked. The caller holds the interpreter's lock.
std::vector<Question> questions_of(nb::handle list) {
  std::vector<Question> questions;
  for (const nb::handle item : list) {
    questions.push_back({nb::cast<std::string>(item[0]), nb::cast<std::string>(item[1]), nb::cast<std::string>(item[2])});
  }
  return questions;
}

void add_question_set(const Registration& part) {
  question_sets().add_or_replace(
      {part.documentation(),
       kept_while_called([name = part.name, defaults = part.options](const Settings& settings, const QuestionContext& context) {
         const PythonOptions options = read(defaults, settings, name);
         return with_interpreter(name.c_str(), [&] {
           const nb::tuple splits(make("question set", name, options).attr("_splits")(name, context.seed, context.data_root.string()));
           return QuestionSet{questions_of(splits[0]), questions_of(splits[1]), questions_of(splits[2])};
         });
       })});
}

/// Throws Error, begun by the part's name, unless its options are of types that a config can hold.
PythonOptions checked_options(const std::string& name, const nb::list& list) {
  try {
    PythonOptions options(list);
    OptionLister lister;
    PythonOptions(options).describe(lister);
    return options;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

void register_part(const std::string& kind, const std::string& name, const std::string& summary, const std::string& reference,
                   const std::string& origin, const nb::list& options) {
  // The engine's threads read the registries.
  expect(!CurrentRun::is_under_way(), "register: expected the {} {} before or after a run, found a run under way", kind, name);
  const Registration part{name, summary, reference, origin, checked_options(name, options)};
  if (kind == "solver") return add_solver(part);
  if (kind == "strategy") return add_strategy(part);
  if (kind == "reward") return add_reward(part);
  if (kind == "question set") return add_question_set(part);
  throw Error(fmt::format("register: expected solver, strategy, reward or question set, found '{}'", kind));
}

}  // namespace

void bind_parts(nb::module_& module) {
  module.def("register_part", &register_part, "kind"_a, "name"_a, "summary"_a, "reference"_a, "origin"_a, "options"_a);
}

}  // namespace paretofl::python
