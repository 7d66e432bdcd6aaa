#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Which run a run directory holds, and how it has been started: parties tell by it what belongs together.
struct RunStart {
  static constexpr const char* kFile = "federation/run.json";

  std::string run;                    ///< 32 hexadecimal digits, drawn at the first start
  std::vector<std::uint64_t> starts;  ///< a random number of each start, in order, so that two copies of a run directory differ

  /// Of kFile's text. Throws Error, calling the text `name`, on anything else.
  static RunStart parse(std::string_view text, const std::string& name);
  /// What parse() reads back.
  std::string text() const;

  /// The last of `starts` as text.
  std::string current() const;

  /// Notes one more start in the run directory, on disk, and returns it. Throws Error where kFile there is damaged.
  static RunStart next(const std::filesystem::path& directory);
};

}  // namespace paretofl
