#include "paretofl/runs/run_config.h"

#include "paretofl/core/error.h"
#include "paretofl/core/option_reader.h"
#include "paretofl/runs/config.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/strategies/strategy.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

void RunConfig::describe(OptionVisitor& visit) {
  visit.integer("seed", seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of every random stream");
  visit.integer("rounds", rounds, 1, kMaxInt, "rounds to run");
  visit.real("min_reply_fraction", min_reply_fraction, 0, 1, "share of a cohort that must answer; with fewer the round is abandoned");
  visit.integer("max_abandoned_rounds", max_abandoned_rounds, 1, kMaxInt, "abandoned rounds in a row that end the run");
  visit.component("strategy", strategy, strategies(), "the federated algorithm");
  visit.component("workload", workload, workloads(), "the problem to train on");
  visit.component("runtime", runtime, runtimes(), "who computes where");
  visit.group("evaluation", [this](OptionVisitor& inner) {
    inner.integer("every", evaluation_every, 1, kMaxInt, "rounds between evaluations; the last round is always evaluated");
    inner.boolean("fine_tuned", evaluation_fine_tuned, "evaluate personalized models before their last mixing too, as fine_tune would");
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

bool shapes_results(std::string_view key) {
  for (const std::string_view other : {"runtime.name", "runtime.threads", "runtime.through_wire", "data.root"}) {
    if (key == other) return false;
  }
  return !key.starts_with("checkpoint.");
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
  for (const char* key : {"strategy", "workload"}) expect(named(key), "config: expected {}.name, found none", key);
  ResolvedConfig result;
  OptionReader reader(settings, "");
  result.config.describe(reader);
  reader.finish();
  result.resolved = reader.resolved();
  return result;
}

std::unique_ptr<Workload> make_workload(const RunConfig& config) {
  return workloads().at(config.workload.name).make(config.workload.settings, {static_cast<std::uint64_t>(config.seed), config.data_root});
}

}  // namespace paretofl
