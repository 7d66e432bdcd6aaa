#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/solvers/weight_solver.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {

const RegistryBase& registry_of(const std::string& kind) {
  const std::vector<const RegistryBase*> all{&strategies(), &solvers(), &compressors(),  &preference_distributions(),
                                             &workloads(),  &rewards(), &question_sets()};
  std::string known;
  for (const RegistryBase* registry : all) {
    if (registry->kind() == kind) return *registry;
    known += (known.empty() ? "" : ", ") + registry->kind();
  }
  throw Error(fmt::format("kind: expected one of {}; found '{}'", known, kind));
}

namespace {

/// (name, summary, reference, origin, [(key, type, default, range, meaning), ..]) of every part of a kind.
nb::list entries(const std::string& kind) {
  nb::list result;
  for (const RegistryEntry* entry : registry_of(kind).entries()) {
    OptionLister lister;
    entry->describe(lister);
    nb::list options;
    for (const OptionDoc& doc : lister.docs()) {
      options.append(nb::make_tuple(doc.key, doc.type, doc.default_value, doc.range, doc.meaning));
    }
    result.append(nb::make_tuple(entry->name, entry->summary, entry->reference, entry->origin, options));
  }
  return result;
}

}  // namespace

void bind_registries(nb::module_& module) { module.def("entries", &entries, "kind"_a); }

}  // namespace paretofl::python
