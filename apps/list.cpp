#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "paretofl/agents/agent.h"
#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/environments/environment.h"
#include "paretofl/models/registry.h"
#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/strategies/strategy.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

struct Kind {
  std::string plural;
  const RegistryBase* registry;
};

std::vector<Kind> kinds() {
  return {{"strategies", &strategies()},
          {"workloads", &workloads()},
          {"solvers", &solvers()},
          {"compressors", &compressors()},
          {"server-optimizers", &server_optimizers()},
          {"runtimes", &runtimes()},
          {"models", &models()},
          {"environments", &environments()},
          {"agents", &agents()},
          {"preference-distributions", &preference_distributions()},
          {"rewards", &rewards()},
          {"question-sets", &question_sets()}};
}

std::vector<OptionDoc> options_of(const RegistryEntry& entry) {
  OptionLister lister;
  entry.describe(lister);
  return lister.docs();
}

nlohmann::ordered_json to_json(const RegistryEntry& entry) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const OptionDoc& doc : options_of(entry)) {
    options.push_back(
        {{"key", doc.key}, {"type", doc.type}, {"default", doc.default_value}, {"range", doc.range}, {"meaning", doc.meaning}});
  }
  return {{"name", entry.name}, {"summary", entry.summary}, {"reference", entry.reference}, {"options", std::move(options)}};
}

void print_options(const RegistryEntry& entry) {
  for (const OptionDoc& doc : options_of(entry)) {
    write_output("      {:<22} {:<14} {}{}\n", doc.key, doc.default_value, doc.meaning, doc.range.empty() ? "" : " (" + doc.range + ")");
  }
}

void print_kind(const Kind& kind, const std::string& name) {
  if (name.empty()) write_output("{}\n", kind.plural);
  for (const RegistryEntry* entry : kind.registry->entries()) {
    if (!name.empty() && entry->name != name) continue;
    write_output("  {:<28} {}{}\n", entry->name, entry->summary, entry->reference.empty() ? "" : "; " + entry->reference);
    if (!name.empty()) print_options(*entry);
  }
}

void list(const std::string& wanted, const std::string& name, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  std::vector<std::string> known;
  bool found = false;
  for (const Kind& kind : kinds()) {
    known.push_back(kind.plural);
    if (!wanted.empty() && wanted != kind.plural) continue;
    found = true;
    if (!name.empty()) kind.registry->entry(name);
    if (!json) print_kind(kind, name);
    for (const RegistryEntry* entry : kind.registry->entries()) {
      if (name.empty() || entry->name == name) all[kind.plural].push_back(to_json(*entry));
    }
  }
  expect(found, "list: expected one of {}; found '{}'", fmt::join(known, ", "), wanted);
  if (json) write_output("{}\n", all.dump(2));
}

}  // namespace

void add_list(CLI::App& app) {
  CLI::App* command = app.add_subcommand("list", "List all strategies, workloads, solvers and other parts, with their options");
  struct Arguments {
    std::string kind;
    std::string name;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> plurals;
  for (const Kind& kind : kinds()) plurals.push_back(kind.plural);
  command->add_option("KIND", arguments->kind, fmt::format("{} (default: all of them)", fmt::join(plurals, ", ")))->type_name("");
  command->add_option("NAME", arguments->name, "name of one part: prints its options with defaults and ranges")->type_name("");
  command->add_flag("--json", arguments->json, "print JSON, options included");
  command->footer(
      "Example: the names of all solvers, then the options of one strategy\n  paretofl list solvers\n  paretofl list strategies fedcmoo");
  command->callback([arguments] { list(arguments->kind, arguments->name, arguments->json); });
}

}  // namespace paretofl
