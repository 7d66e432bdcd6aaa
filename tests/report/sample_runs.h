#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// What a made-up run of the tests looks like.
struct SampleRun {
  std::string name;
  std::string strategy = "fedcmoo";
  std::string workload = "glyphs";
  int seed = 1;
  int rounds = 20;
  std::vector<std::string> objectives = {"left", "right"};
  std::vector<double> final_accuracy = {0.9, 0.8};  ///< of each objective
  double speed = 0.2;                               ///< how fast the accuracies get there
  std::string settings = {};                        ///< further lines of config.toml
  std::string problem = {};                         ///< the same, of its table workload
  bool finished = true;
  bool has_lambda = true;
  bool seed_changes_problem = false;
  std::vector<std::string> unlike_units = {};
};

/// Writes the run directory `parent/name`, with an accuracy every second round, and returns it.
inline std::filesystem::path write_sample_run(const std::filesystem::path& parent, const SampleRun& run) {
  std::filesystem::path folder = parent / run.name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.toml") << "seed = " << run.seed << "\nrounds = " << run.rounds << "\n[strategy]\nname = \"" << run.strategy
                                        << "\"\n"
                                        << run.settings << "[workload]\nname = \"" << run.workload << "\"\n"
                                        << run.problem << "[runtime]\nthreads = 2\n";
  const std::size_t objectives = run.objectives.size();
  nlohmann::json test;
  std::ofstream rows(folder / "metrics.jsonl");
  for (int round = 1; round <= run.rounds; ++round) {
    nlohmann::json row = {{"round", round}, {"bytes_up", 1000000}, {"bytes_down", 1500000}};
    row["seconds"] = {{"sketch_jacobian", 0.125}, {"train", 0.5}, {"server", 0.0625}};
    row["metrics"] = {{"step_norm", 1.0 / round}};
    row["failures"] = nlohmann::json::array();
    if (round == 3) row["failures"].push_back({{"client", 7}, {"verb", "train"}, {"reason", "lost <connection> & \"gave up\""}});
    for (std::size_t k = 0; k < objectives; ++k) {
      const double progress = 1 - std::exp(-run.speed * round / (1.0 + 0.3 * static_cast<double>(k)));
      row["train"]["loss"][run.objectives[k]] = 2.3 * (1 - progress) + 0.1 + 0.02 * std::sin(round * (2.0 + static_cast<double>(k)));
      if (run.has_lambda)
        row["lambda"].push_back(k == 0 ? 0.5 - 0.2 * progress : (0.5 + 0.2 * progress) / static_cast<double>(objectives - 1));
      if (round % 2 != 0 && round != run.rounds) continue;
      const double noise = round == run.rounds ? 0 : 0.01 * std::sin(round * 1.7 + static_cast<double>(k) + run.seed);
      test["accuracy"][run.objectives[k]] = run.final_accuracy[k] * (round == run.rounds ? 1 : progress) + noise;
      test["loss"][run.objectives[k]] = 2.4 * (1 - progress) + 0.2;
    }
    if (round % 2 == 0 || round == run.rounds) row["test"] = test;
    rows << row.dump() << '\n';
  }
  if (run.finished) {
    std::ofstream(folder / "summary.json") << nlohmann::json{{"strategy", run.strategy},
                                                             {"workload", run.workload},
                                                             {"seed", run.seed},
                                                             {"rounds", run.rounds},
                                                             {"objectives", run.objectives},
                                                             {"test", test},
                                                             {"seed_changes_problem", run.seed_changes_problem},
                                                             {"unlike_units", run.unlike_units},
                                                             {"parameters_sha256", std::string(64, 'a')},
                                                             {"wall_seconds", 12.5},
                                                             {"cpu_seconds", 24.25},
                                                             {"peak_rss_bytes", 123456789},
                                                             {"bytes_up", 1000000 * run.rounds},
                                                             {"bytes_down", 1500000 * run.rounds}};
  }
  return folder;
}

/// The same, written to a folder of that name and read.
inline std::vector<RunData> sample_run_data(const std::string& name, const std::vector<SampleRun>& samples) {
  std::vector<RunData> runs;
  for (const SampleRun& sample : samples) {
    runs.push_back(load_run(write_sample_run(std::filesystem::path(testing::TempDir()) / name, sample)));
  }
  return runs;
}

}  // namespace paretofl
