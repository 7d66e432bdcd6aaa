#include "paretofl/runs/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paretofl/adversaries/adversary.h"
#include "paretofl/core/error.h"
#include "paretofl/files/missing_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/registry/registry.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/python_workloads.h"
#include "paretofl/runs/workload_problem.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/workloads/data_catalog.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

constexpr const char* kPlugins = "plugins";

/// The plugins that a config names, which are loaded.
std::vector<std::string> named_plugins(const Settings& settings) {
  const auto found = settings.values.find(kPlugins);
  if (found == settings.values.end()) return {};
  const auto* names = std::get_if<std::vector<std::string>>(&found->second);
  expect(names != nullptr, "config: expected a list of file names at plugins, found {}", to_text(found->second));
  expect_plugins("config", *names);
  return *names;
}

/// "none", or a key of the config that may be meant by the one that is missing.
std::string found_instead(const Settings& settings, const std::string& missing) {
  RunConfig config;
  OptionLister lister;
  config.describe(lister);
  const auto is_known = [&](const std::string& key) {
    return std::any_of(lister.docs().begin(), lister.docs().end(),
                       [&](const OptionDoc& doc) { return doc.key == key || doc.key.starts_with(key + "."); });
  };
  std::vector<std::string> unknown;
  for (const auto& [key, value] : settings.values) {
    if (!is_known(key)) unknown.push_back(key);
  }
  for (const auto& [key, table] : settings.tables) {
    if (!is_known(key)) unknown.push_back(key);
  }
  const std::string near = nearest(missing, unknown);
  return near.empty() ? "none" : fmt::format("the unknown key {}; did you mean {}?", near, missing);
}

/// The workload of one party's folder.
std::unique_ptr<Workload> make_part(const RunConfig& config, const ProblemPart& part) {
  const std::string file = part.file(Problem::kFile).string();
  const Problem agreed = read_problem(part.folder);
  part.check_owner();
  Problem wanted = agreed;
  wanted.workload = config.workload.name;
  wanted.settings = problem_settings(config);
  expect_same_problem(wanted, agreed, file);
  expect(!part.client || (*part.client >= 0 && *part.client < agreed.clients), "{}: expected a client below {}, found {}", file,
         agreed.clients, part.client.value_or(0));
  auto workload = workloads().at(config.workload.name).make(config.workload.settings, {static_cast<std::uint64_t>(config.seed), {}, part});
  expect(workload->part().has_value(), "workload: expected one that can be made of one party's data, found {}", config.workload.name);
  expect_same_problem(problem_of(config, *workload), agreed, file);
  return workload;
}

}  // namespace

void name_loaded_plugins(Settings& settings) {
  const std::vector<std::string> own = named_plugins(settings);
  std::set<std::string> names(own.begin(), own.end());
  for (const auto& file : loaded_plugins()) names.insert(file.filename().string());
  if (!names.empty()) settings.values[kPlugins] = std::vector<std::string>(names.begin(), names.end());
}

void RunConfig::describe(OptionVisitor& visit) {
  visit.integer("seed", seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of every random stream");
  visit.integer("rounds", rounds, 1, kMaxInt, "rounds to run");
  visit.real("min_reply_fraction", min_reply_fraction, 0, 1, "share of a cohort that must answer; with fewer the round is abandoned");
  visit.integer("max_abandoned_rounds", max_abandoned_rounds, 1, kMaxInt, "abandoned rounds in a row that end the run");
  visit.component("strategy", strategy, strategies(), "the federated algorithm");
  visit.component("workload", workload, workloads(), "the problem to train on");
  visit.component("runtime", runtime, runtimes(), "who computes where");
  visit.group("privacy", [this](OptionVisitor& inner) { privacy.describe(inner); });
  visit.component("adversary", adversary, adversaries(), "how some clients of a simulation lie");
  visit.group("evaluation", [this](OptionVisitor& inner) {
    inner.integer("every", evaluation_every, 1, kMaxInt, "rounds between evaluations; the last round is always evaluated");
    inner.boolean("fine_tuned", evaluation_fine_tuned,
                  "evaluate personalized models before their last mixing too, as fine_tune would; needs strategy.fine_tune = false");
    inner.boolean("federated", evaluation_federated, "clients also evaluate the model on what they hold out themselves");
    inner.boolean("by_client", evaluation_by_client, "record these figures of every client as well; needs federated");
    inner.text("choose_by", evaluation_choose_by,
               "validation figure whose best value chooses the model that is written, such as accuracy or accuracy/digit; empty: the last");
  });
  visit.group("data",
              [this](OptionVisitor& inner) { inner.text("root", data_root, "folder of the data sets (paretofl data lists them)"); });
  visit.group("checkpoint", [this](OptionVisitor& inner) {
    inner.integer("every", checkpoint_every, 1, kMaxInt, "rounds between checkpoints");
    inner.integer("keep", checkpoint_keep, 1, 1000, "newest checkpoints kept");
  });
}

void RunConfig::expect_honest_parties() const {
  expect(adversary.name == "none", "adversary.name: expected none in a federation of parties, since only simulated clients lie; found {}",
         adversary.name);
}

bool shapes_results(std::string_view key) {
  return std::find(kShapeNoResults.begin(), kShapeNoResults.end(), key) == kShapeNoResults.end() && !key.starts_with("checkpoint.");
}

Texts identity_of(const Settings& resolved) {
  Texts texts = flat_texts(resolved);
  std::erase_if(texts, [](const auto& setting) { return setting.first == "rounds" || !shapes_results(setting.first); });
  return texts;
}

ResolvedConfig resolve_config(const Settings& settings) {
  const auto named = [&](const char* key) {
    const auto table = settings.tables.find(key);
    return settings.values.contains(key) || (table != settings.tables.end() && table->second.values.contains("name"));
  };
  for (const char* key : {"strategy", "workload"})
    expect(named(key), "config: expected {}.name, found {}", key, found_instead(settings, key));
  expect_workload_at_hand(flat_texts(settings), "config", "paretofl.run(problem, ...) trains on it");
  ResolvedConfig result;
  const std::vector<std::string> plugins = named_plugins(settings);
  Settings options = settings;
  options.values.erase(kPlugins);
  OptionReader reader(options, "");
  result.config.describe(reader);
  reader.finish();
  result.resolved = reader.resolved();
  if (!plugins.empty()) result.resolved.values[kPlugins] = plugins;
  return result;
}

std::unique_ptr<Workload> make_workload(const RunConfig& config, const std::optional<ProblemPart>& part) {
  return make_workload(config, part, nullptr);
}

std::unique_ptr<Workload> make_workload(const RunConfig& config, const std::optional<ProblemPart>& part,
                                        std::shared_ptr<const nlohmann::json> statistics) {
  if (part) return make_part(config, *part);
  const WorkloadContext context{static_cast<std::uint64_t>(config.seed), config.data_root, {}, std::move(statistics)};
  try {
    return workloads().at(config.workload.name).make(config.workload.settings, context);
  } catch (const MissingFile& missing) {
    const auto inside = missing.path().lexically_normal().lexically_relative(std::filesystem::path(config.data_root).lexically_normal());
    if (inside.empty() || *inside.begin() == "..") throw;
    throw Error(fmt::format("{}; data.root is '{}'{}, and `{}` tells which files belong there", missing.what(), config.data_root,
                            std::filesystem::path(config.data_root).is_relative() ? " below the current folder" : "",
                            data_command(config.workload.name)));
  }
}

}  // namespace paretofl
