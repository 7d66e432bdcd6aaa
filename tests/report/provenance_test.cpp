#include "paretofl/report/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

TEST(Provenance, IsWhatTheSummarySaysOfTheRunsMaking) {
  const auto folder = write_sample_run(std::filesystem::path(testing::TempDir()) / "provenance", {.name = "a"});
  EXPECT_TRUE(read_provenance(folder).empty());
  std::ofstream(folder / "summary.json")
      << R"({"strategy": "x", "parameters_sha256": "a", "rounds": 3, "commit": "abc", "compiler": "GCC 12"})";
  EXPECT_THAT(read_provenance(folder), testing::ElementsAre(std::pair("commit", "abc"), std::pair("compiler", "GCC 12")));
  std::ofstream(folder / "summary.json") << "{";
  EXPECT_THROW(read_provenance(folder), Error);
  std::filesystem::remove(folder / "summary.json");
  EXPECT_TRUE(read_provenance(folder).empty());
}

}  // namespace
}  // namespace paretofl
