#include "paretofl/core/data_ledger.h"

#include <gtest/gtest.h>

#include <string_view>

namespace paretofl {
namespace {

std::string after(std::initializer_list<std::pair<const char*, std::string_view>> files) {
  DataLedger::begin();
  for (const auto& [file, content] : files) DataLedger::note(file, std::as_bytes(std::span(content)));
  return DataLedger::fingerprint();
}

TEST(DataLedger, KnowsFilesByTheirNamesAndContents) {
  const std::string both = after({{"a", "one"}, {"b", "two"}});
  EXPECT_EQ(both.size(), 32U);
  EXPECT_EQ(after({{"/elsewhere/b", "two"}, {"/elsewhere/a", "one"}, {"a", "one"}}), both);
  EXPECT_NE(after({{"a", "one"}, {"b", "twO"}}), both);
  EXPECT_NE(after({{"a", "two"}, {"b", "one"}}), both);
  EXPECT_NE(after({{"a", "one"}}), both);
}

TEST(DataLedger, IsEmptyWhereNothingWasRead) { EXPECT_EQ(after({}), ""); }

}  // namespace
}  // namespace paretofl
