#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// One dimension of a sweep's grid: a key of the config and the values it takes, each as --set reads it.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};

/// "key=v1,v2,..", as --over has it. A comma in brackets or quotes belongs to its value, so that vectors are
/// values: strategy.preference=[1,2],[2,1]. Throws Error on an empty or repeated value, or one whose brackets
/// or quotes don't close.
Axis parse_axis(std::string_view text);

/// The axis of the seeds "1,2,5" or "1..5", or both: "1..3,7". Throws Error like parse_axis, on what is no
/// seed, and on ranges of more than kMaxSeeds.
Axis parse_seeds(std::string_view text);

inline constexpr std::size_t kMaxSeeds = 10000;

/// The values of a list with commas between them, as parse_axis splits it; `name` begins errors.
std::vector<std::string> split_values(std::string_view list, std::string_view name);

}  // namespace paretofl
