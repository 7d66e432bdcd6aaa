#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "paretofl/serve/live_server.h"

namespace paretofl {

/// A folder of runs of this test alone.
inline std::filesystem::path fresh_folder(const std::string& name) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("serve_" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// A run directory that a test writes as a run does.
class LiveRun {
 public:
  LiveRun(const std::filesystem::path& parent, const std::string& name) : folder_(parent / name) { begin(); }

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path metrics() const { return folder_ / "metrics.jsonl"; }

  /// Begins anew, as with --overwrite.
  void begin() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "config.toml")
        << "seed = 3\nrounds = 20\n[strategy]\nname = \"fedcmoo\"\n[workload]\nname = \"glyphs\"\n[runtime]\nthreads = 2\n";
  }

  static std::string row(int round, double loss = 0.5) {
    const nlohmann::ordered_json row = {{"round", round},
                                        {"train", {{"loss", {{"left", loss / round}, {"right", 0.25}}}}},
                                        {"test", {{"accuracy", {{"left", 0.5 + 0.01 * round}, {"right", nullptr}}}}},
                                        {"metrics", nlohmann::json::object()},
                                        {"bytes_up", 1000},
                                        {"bytes_down", 1500},
                                        {"seconds", {{"train", 0.5}, {"server", 0.25}}},
                                        {"late", 1},
                                        {"failures", {{{"client", 7}, {"verb", "train"}, {"reason", "gave \"up\""}}}}};
    return row.dump();
  }

  void append(const std::string& text) const { std::ofstream(metrics(), std::ios::app) << text; }
  void append_rows(int first, int last, double loss = 0.5) const {
    for (int round = first; round <= last; ++round) append(row(round, loss) + "\n");
  }

  /// Puts other rows in the place of the file's, as a run does that is resumed.
  void replace_rows(const std::string& text) const {
    std::ofstream(folder_ / "metrics.jsonl.tmp") << text;
    std::filesystem::rename(folder_ / "metrics.jsonl.tmp", metrics());
  }

  void finish(const std::string& status = "completed") const {
    std::ofstream(folder_ / "summary.json.tmp") << nlohmann::json{{"objectives", {"left", "right"}},
                                                                  {"status", status},
                                                                  {"parameters_sha256", std::string(64, 'a')},
                                                                  {"wall_seconds", 1.5},
                                                                  {"cpu_seconds", 2.5},
                                                                  {"peak_rss_bytes", 1000},
                                                                  {"bytes_up", 1000},
                                                                  {"bytes_down", 1500}};
    std::filesystem::rename(folder_ / "summary.json.tmp", folder_ / "summary.json");
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::ifstream file(metrics());
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::filesystem::path folder_;
};

inline LiveServerOptions quick(const std::filesystem::path& folder) {
  LiveServerOptions options;
  options.folder = folder;
  options.poll_interval = std::chrono::milliseconds(5);
  options.patient = false;
  return options;
}

}  // namespace paretofl
