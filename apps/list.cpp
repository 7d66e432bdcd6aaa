#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "apps/preset_folder.h"
#include "paretofl/adversaries/adversary.h"
#include "paretofl/agents/agent.h"
#include "paretofl/aggregators/aggregator.h"
#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/environments/environment.h"
#include "paretofl/models/registry.h"
#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/presets.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/terminal/fitted_text.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

constexpr const char* kPresets = "presets";

struct Kind {
  std::string plural;
  const RegistryBase* registry;
};

std::vector<Kind> kinds() {
  return {{"strategies", &strategies()},
          {"workloads", &workloads()},
          {"solvers", &solvers()},
          {"compressors", &compressors()},
          {"aggregators", &aggregators()},
          {"adversaries", &adversaries()},
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

nlohmann::ordered_json entry_json(const RegistryEntry& entry) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const OptionDoc& doc : options_of(entry)) {
    options.push_back(
        {{"key", doc.key}, {"type", doc.type}, {"default", doc.default_value}, {"range", doc.range}, {"meaning", doc.meaning}});
  }
  nlohmann::ordered_json json{
      {"name", entry.name}, {"summary", entry.summary}, {"reference", entry.reference}, {"options", std::move(options)}};
  if (!entry.origin.empty()) json["plugin"] = entry.origin;
  return json;
}

void write_fitted(const std::string& line) { write_output_bytes(fitted_text(line, output_columns())); }

void print_options(const RegistryEntry& entry) {
  for (const OptionDoc& doc : options_of(entry)) {
    write_fitted(fmt::format("      {:<22} {:<14} {}{}\n", doc.key, doc.default_value, doc.meaning,
                             doc.range.empty() ? "" : " (" + doc.range + ")"));
  }
}

void print_kind(const Kind& kind, const std::string& name) {
  if (name.empty()) write_output("{}\n", kind.plural);
  for (const RegistryEntry* entry : kind.registry->entries()) {
    if (!name.empty() && entry->name != name) continue;
    write_fitted(fmt::format("  {:<28} {}{}{}\n", entry->name, entry->summary, entry->reference.empty() ? "" : "; " + entry->reference,
                             entry->origin.empty() ? "" : " [plugin " + printable(entry->origin) + "]"));
    if (!name.empty()) print_options(*entry);
  }
}

nlohmann::ordered_json preset_json(const Preset& preset) {
  return {{"name", preset.name},
          {"strategy", preset.strategy},
          {"workload", preset.workload},
          {"summary", preset.summary},
          {"file", preset.file.string()}};
}

/// The presets, the one of that name, or those whose names begin with it.
std::vector<Preset> presets(const std::string& name) {
  std::vector<Preset> all = load_presets(preset_folder());
  if (name.empty()) return all;
  const auto is_called = [&](const Preset& preset) { return preset.name == name || preset.name.ends_with("/" + name); };
  if (std::none_of(all.begin(), all.end(), is_called)) {
    std::vector<Preset> beginning;
    std::copy_if(all.begin(), all.end(), std::back_inserter(beginning),
                 [&](const Preset& preset) { return preset.name.starts_with(name); });
    if (!beginning.empty()) return beginning;
  }
  const std::filesystem::path file = preset_file(preset_folder(), name);
  std::erase_if(all, [&](const Preset& preset) { return preset.file != file; });
  return all;
}

void print_presets(const std::vector<Preset>& found, bool with_files) {
  if (!with_files) write_output("{}\n", kPresets);
  for (const Preset& preset : found) {
    write_fitted(fmt::format("  {:<39} {}\n", printable(preset.name), printable(preset.summary)));
    if (with_files)
      write_output("      strategy {}, workload {}, file {}\n", preset.strategy, preset.workload, printable(preset.file.string()));
  }
}

/// For what is no kind: the command for the part or the preset of that name, else the nearest kind.
std::string meant_hint(const std::string& word, const std::vector<std::string>& known) {
  for (const Kind& kind : kinds()) {
    for (const RegistryEntry* entry : kind.registry->entries()) {
      if (entry->name == word) return fmt::format("; did you mean paretofl list {} {}?", kind.plural, printable(word));
    }
  }
  for (const Preset& preset : load_presets(preset_folder())) {
    if (preset.name == word) return fmt::format("; did you mean paretofl list {} {}?", kPresets, printable(word));
  }
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

void list(const std::string& wanted, const std::string& name, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  std::vector<std::string> known;
  bool found = false;
  if (wanted == kPresets) {
    const std::vector<Preset> listed = presets(name);
    for (const Preset& preset : listed) all[kPresets].push_back(preset_json(preset));
    if (json) return write_output("{}\n", all.dump(2));
    return print_presets(listed, !name.empty() && listed.size() == 1);
  }
  for (const Kind& kind : kinds()) {
    known.push_back(kind.plural);
    if (!wanted.empty() && wanted != kind.plural) continue;
    found = true;
    if (!name.empty()) kind.registry->entry(name);
    if (!json) print_kind(kind, name);
    for (const RegistryEntry* entry : kind.registry->entries()) {
      if (name.empty() || entry->name == name) all[kind.plural].push_back(entry_json(*entry));
    }
  }
  known.emplace_back(kPresets);
  expect(found, "list: expected one of {}; found '{}'{}", fmt::join(known, ", "), printable(wanted),
         found ? "" : meant_hint(wanted, known));
  if (json) write_output("{}\n", all.dump(2));
}

}  // namespace

void add_list(CLI::App& app) {
  CLI::App* command = app.add_subcommand("list", "The strategies, workloads, solvers and so on, with their options, and the presets");
  struct Arguments {
    std::string kind;
    std::string name;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> plurals;
  for (const Kind& kind : kinds()) plurals.push_back(kind.plural);
  plurals.emplace_back(kPresets);
  command->add_option("KIND", arguments->kind, fmt::format("{} (all but presets when absent)", fmt::join(plurals, ", ")))->type_name("");
  command
      ->add_option("NAME", arguments->name,
                   "one part of that kind: prints its options, defaults and ranges; or the beginning of presets' names")
      ->type_name("");
  command->add_flag("--json", arguments->json, "print JSON, options included");
  command->footer(
      "Example: the names of all solvers, then the options of one strategy, then what run and sweep take by name\n"
      "  paretofl list solvers\n  paretofl list strategies fedcmoo\n  paretofl list presets");
  command->callback([arguments] { list(arguments->kind, arguments->name, arguments->json); });
}

}  // namespace paretofl
