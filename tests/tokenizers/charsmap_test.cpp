#include "paretofl/tokenizers/charsmap.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::string words(const std::vector<std::uint32_t>& numbers) {
  std::string bytes(numbers.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

void expect_refused(const std::string& bytes, const std::string& message) {
  try {
    const Charsmap map(bytes, "rules");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(Charsmap, HasNoRulesWhereThereAreNoBytes) {
  const Charsmap map("", "rules");
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.longest("a").has_value());
}

TEST(Charsmap, RefusesBytesThatAreNoMap) {
  expect_refused("abc", "rules: expected a map of characters, found 3 bytes");
  expect_refused(words({0}), "rules: expected a trie of 4 to 0 bytes, in fours, found 0");
  expect_refused(words({0, 1, 2}), "expected a trie of 4 to 8 bytes, in fours, found 0");
  expect_refused(words({6, 1, 2}), "expected a trie of 4 to 8 bytes, in fours, found 6");
  expect_refused(words({12, 1, 2}), "expected a trie of 4 to 8 bytes, in fours, found 12");
}

}  // namespace
}  // namespace paretofl
