#pragma once

#include "paretofl/rounds/strategy.h"
#include "paretofl/runtimes/threads.h"
#include "paretofl/workloads/glyphs.h"

namespace paretofl {

/// A strategy on a workload in this process, for tests.
struct Simulation {
  ThreadPool pool;
  std::unique_ptr<Runtime> runtime;
  Server server;

  struct Options {
    RuntimeOptions runtime{.threads = 1};
    std::uint64_t seed = 1;
    double min_reply_fraction = 0.5;
  };

  Simulation(Strategy strategy, const Workload& workload, const Options& options)
      : pool(static_cast<std::size_t>(options.runtime.threads)),
        runtime(make_threads_runtime(options.runtime, pool, std::move(strategy.client))),
        server(std::move(strategy.server), *runtime, {options.seed, workload.num_clients(), options.min_reply_fraction},
               workload.initial_parameters()) {}
  Simulation(Strategy strategy, const Workload& workload) : Simulation(std::move(strategy), workload, Options{}) {}

  /// Runs rounds `first` .. `last` and returns the parameters.
  std::vector<float> run(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t round = first; round <= last; ++round) reports.push_back(server.run_round(round));
    return {server.global().values().begin(), server.global().values().end()};
  }

  std::vector<RoundReport> reports;
};

/// A strategy by name with real and integer settings such as {{"client_lr", 0.1}}.
inline Strategy strategy_named(const std::string& name, const Workload& workload, std::map<std::string, Settings::Value> values = {},
                               std::map<std::string, std::string> components = {}) {
  Settings settings;
  for (auto& [key, value] : values) settings.values.emplace(key, value);
  for (auto& [key, value] : components) settings.values.emplace(key, value);
  return strategies().at(name).make(settings, workload);
}

/// Glyphs of a size for tests: 4 clients of 40 images.
inline std::unique_ptr<Workload> small_glyphs() {
  GlyphsOptions options;
  options.images.clients = 4;
  options.images.samples_per_client = 40;
  options.images.batch_size = 16;
  options.train_images = 160;
  options.test_images = 40;
  return make_glyphs(options, 3);
}

}  // namespace paretofl
