#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace paretofl {

/// Which run a run directory holds, and how many times it has been started: parties tell by it what belongs together.
struct RunStart {
  static constexpr const char* kFile = "federation/run.json";

  std::string run;  ///< 32 hexadecimal digits, drawn at the first start
  std::uint64_t start = 1;

  /// Notes one more start in the run directory, on disk, and returns it. Throws Error where kFile there is damaged.
  static RunStart next(const std::filesystem::path& directory);
};

}  // namespace paretofl
