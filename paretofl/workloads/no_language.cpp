#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/workloads/language_workloads.h"

namespace paretofl {
namespace {

[[noreturn]] void refuse(const char* name) {
  throw Error(fmt::format("workload {}: expected a build with language models, as `make build` makes it, found one without", name));
}

}  // namespace

std::vector<Registry<WorkloadFactory>::Entry> language_workloads() {
  std::vector<Registry<WorkloadFactory>::Entry> entries;
  for (const char* name : kLanguageWorkloads) {
    // A list of options is empty; whoever sets some is told why there are none.
    const auto describe = [name](OptionVisitor& visit) {
      if (dynamic_cast<OptionReader*>(&visit) != nullptr) refuse(name);
    };
    entries.push_back({{name, "a language model, which this build leaves out; `make build` has it", "", describe},
                       [name](const Settings&, const WorkloadContext&) -> std::unique_ptr<Workload> { refuse(name); }});
  }
  return entries;
}

Registry<std::unique_ptr<Reward>(const Settings&)>& rewards() {
  static Registry<std::unique_ptr<Reward>(const Settings&)> registry("reward", {});
  return registry;
}

}  // namespace paretofl
