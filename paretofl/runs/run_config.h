#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "paretofl/core/texts.h"
#include "paretofl/privacy/privacy_options.h"
#include "paretofl/registry/registry.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// The keys that every config has; each part's own keys stand with the part.
struct RunConfig {
  std::int64_t seed = 1;
  std::int64_t rounds = 100;
  double min_reply_fraction = 0.5;
  std::int64_t max_abandoned_rounds = 3;
  Component strategy;
  Component workload;
  Component runtime{"threads", {}};
  PrivacyOptions privacy = {};
  Component adversary{"none", {}};
  std::int64_t evaluation_every = 10;
  bool evaluation_fine_tuned = false;
  bool evaluation_federated = false;
  bool evaluation_by_client = false;
  std::string evaluation_choose_by;
  std::string data_root = "data";
  std::int64_t checkpoint_every = 10;
  std::int64_t checkpoint_keep = 3;

  void describe(OptionVisitor& visit);
  /// Throws Error where the config asks for clients that lie, which real parties are not asked to do.
  void expect_honest_parties() const;
};

/// A config as read and as resolved: every key, with defaults filled in.
struct ResolvedConfig {
  RunConfig config;
  Settings resolved;
};

/// The keys that no result depends on, beside those of `checkpoint`: who computes, where the data lie.
inline constexpr std::array<std::string_view, 8> kShapeNoResults{"runtime.name",
                                                                 "runtime.threads",
                                                                 "runtime.through_wire",
                                                                 "runtime.sockets",
                                                                 "runtime.reconnect_seconds",
                                                                 "runtime.patience_seconds",
                                                                 "runtime.longest_seconds",
                                                                 "data.root"};

/// False for those keys and the ones of `checkpoint`.
bool shapes_results(std::string_view key);

/// The settings by full key on which the rounds depend, whatever their number: two runs in which these agree go alike.
Texts identity_of(const Settings& resolved);

/// Has the config's `plugins`, a list of file names, hold all those that are loaded (registry/plugins.h) beside its own; without any, the
/// config stays as it is. Throws Error where one of its own is not loaded.
void name_loaded_plugins(Settings& settings);

/// Throws Error on plugins that the config names and nobody has loaded, on unknown keys, wrong types, values out of range and unknown
/// names.
ResolvedConfig resolve_config(const Settings& settings);

/// The workload that a config names, with the data of all parties, or with a part those of one party. Throws Error where the part is
/// another party's, and where its problem.json does not fit the config, naming the key.
std::unique_ptr<Workload> make_workload(const RunConfig& config, const std::optional<ProblemPart>& part = {});

/// The same with the statistics of WorkloadContext, or nullptr; a part has its own.
std::unique_ptr<Workload> make_workload(const RunConfig& config, const std::optional<ProblemPart>& part,
                                        std::shared_ptr<const nlohmann::json> statistics);

}  // namespace paretofl
