#pragma once

#include <chrono>
#include <nlohmann/json.hpp>

namespace paretofl {

/// Where and by what a run was computed, as summary.json tells: version, commit, compiler, processor; started and ended, in UTC, of the
/// process that ended it; plugins, the files that were loaded with their SHA-256, where there were any. No result depends on it, and two
/// equal runs differ in it.
class Provenance {
 public:
  /// The run starts now.
  Provenance();
  /// Adds its members to a summary; the run ends now.
  void add_to(nlohmann::ordered_json& summary) const;

 private:
  std::chrono::system_clock::time_point started_;
  nlohmann::ordered_json plugins_;
};

}  // namespace paretofl
