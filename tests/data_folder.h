#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace paretofl {

/// The folder with the published data sets that the environment variable PARETOFL_DATA names; empty if unset.
inline std::filesystem::path data_folder() {
  const char* folder = std::getenv("PARETOFL_DATA");
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder);
}

/// Values recorded from reference implementations, beside the data; empty like data_folder().
inline std::filesystem::path golden_folder() { return data_folder().empty() ? data_folder() : data_folder() / ".." / "golden"; }

/// Whether a missing data set is a failure: PARETOFL_REQUIRE_DATA=1.
inline bool data_required() {
  const char* required = std::getenv("PARETOFL_REQUIRE_DATA");
  return required != nullptr && std::string(required) == "1";
}

}  // namespace paretofl

/// First line of a test on real data: skips the test, or fails it where data is required, unless
/// data_folder() holds `subfolder`.
#define PARETOFL_NEEDS_DATA(subfolder)                                                                                             \
  if (::paretofl::data_folder().empty() || !std::filesystem::exists(::paretofl::data_folder() / (subfolder))) {                    \
    if (::paretofl::data_required()) FAIL() << "no data set '" << (subfolder) << "': set PARETOFL_DATA to a folder that holds it"; \
    GTEST_SKIP() << "NOT TESTED: no data set '" << (subfolder) << "'; set PARETOFL_DATA to a folder that holds it";                \
  }                                                                                                                                \
  static_assert(true)
