#include "paretofl/files/data_ledger.h"

#include <gtest/gtest.h>

#include <string_view>

namespace paretofl {
namespace {

using Files = std::initializer_list<std::pair<const char*, std::string_view>>;

std::string after(Files files, const char* root = "data") {
  DataLedger::begin(root);
  for (const auto& [file, content] : files) DataLedger::note(file, std::as_bytes(std::span(content)));
  return DataLedger::fingerprint();
}

TEST(DataLedger, KnowsFilesByTheirPathsFromTheRootAndContents) {
  const std::string both = after({{"data/a", "one"}, {"data/b", "two"}});
  EXPECT_EQ(both.size(), 32U);
  EXPECT_EQ(after({{"/moved/b", "two"}, {"/moved/./a", "one"}, {"/moved/a", "one"}}, "/moved/"), both);
  EXPECT_NE(after({{"data/a", "one"}, {"data/b", "twO"}}), both);
  EXPECT_NE(after({{"data/a", "two"}, {"data/b", "one"}}), both);
  EXPECT_NE(after({{"data/a", "one"}}), both);
}

TEST(DataLedger, AFolderWithinTheRootMayMeanAClass) {
  EXPECT_NE(after({{"data/cat/1.jpg", "one"}, {"data/dog/1.jpg", "two"}}), after({{"data/cat/1.jpg", "two"}, {"data/dog/1.jpg", "one"}}));
}

TEST(DataLedger, KnowsFilesOutsideOfTheRootByTheirPaths) {
  EXPECT_NE(after({{"policy/m", "one"}, {"reward/m", "two"}}), after({{"policy/m", "two"}, {"reward/m", "one"}}));
}

TEST(DataLedger, IsEmptyWhereNothingWasRead) { EXPECT_EQ(after({}), ""); }

}  // namespace
}  // namespace paretofl
