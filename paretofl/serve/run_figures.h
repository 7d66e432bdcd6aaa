#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace paretofl {

/// What the rows of a run's metrics.jsonl add up to, row by row.
struct RunFigures {
  std::uint64_t rows = 0;
  int round = 0;        ///< the last one
  double bytes_up = 0;  ///< of all rounds; likewise what follows
  double bytes_down = 0;
  double late = 0;  ///< replies
  std::uint64_t failures = 0;
  std::map<std::string, double> seconds;               ///< by phase
  std::map<std::string, nlohmann::ordered_json> last;  ///< by split, such as "test": the last figures by metric and objective

  /// Adds a row. Throws Error, begun by `where` and with nothing added, where it is not one: no JSON, a round that is not after the last,
  /// or a key of the wrong type.
  void add(std::string_view row, const std::string& where);
};

}  // namespace paretofl
