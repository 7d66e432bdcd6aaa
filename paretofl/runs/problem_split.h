#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "paretofl/runs/run_config.h"

namespace paretofl {

/// What a split left.
struct SplitOutcome {
  int clients = 0;
  std::uintmax_t bytes = 0;      ///< of all files of the parties
  std::string fingerprint = {};  ///< of problem.json
};

/// The folder of a party in a split: client-0, client-1, ... or server.
std::filesystem::path part_folder(const std::filesystem::path& split, std::optional<int> client);

/// Whether a folder holds parts that split_problem() left: it has a config.toml as a run has, but is none.
bool is_split(const std::filesystem::path& folder);

/// Makes the workload of a config with the data of all parties and writes one folder for each: `out`/client-0, ..., `out`/server, with the
/// party's own data and problem.json; beside them `out`/config.toml. problem.json is written last, when all data are there, so that a
/// folder without it is what an interrupted split left.
///
/// Throws Error, and leaves the folder as it is, where it is not empty, unless `overwrite` and it holds an earlier split and nothing else;
/// also where the workload can't be split, and if writing fails; then what was written is removed again, and with `overwrite` the earlier
/// split is gone.
SplitOutcome split_problem(const ResolvedConfig& config, const std::filesystem::path& out, bool overwrite);

}  // namespace paretofl
