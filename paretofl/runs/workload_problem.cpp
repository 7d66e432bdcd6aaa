#include "paretofl/runs/workload_problem.h"

#include <fmt/format.h>

#include <bit>
#include <span>

#include "paretofl/core/sha256.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runs/config.h"

namespace paretofl {

Texts problem_settings(const RunConfig& config) {
  OptionReader reader(config.workload.settings, "workload");
  workloads().entry(config.workload.name).describe(reader);
  Texts settings{{"seed", fmt::format("{}", config.seed)}};
  for (const auto& [key, text] : flat_texts(reader.resolved())) {
    if (key != "preferences" && !key.starts_with("preferences.")) settings["workload." + key] = text;
  }
  return settings;
}

Problem problem_of(const RunConfig& config, const Workload& workload) {
  static_assert(std::endian::native == std::endian::little);
  const Parameters initial = workload.initial_parameters();
  Problem problem{.workload = config.workload.name,
                  .clients = workload.num_clients(),
                  .objectives = workload.objective_names(),
                  .settings = problem_settings(config),
                  .facts = workload.facts(),
                  .layout = workload.layout()->slices(),
                  .initial_parameters = sha256_hex(std::as_bytes(initial.values()))};
  return problem;
}

}  // namespace paretofl
