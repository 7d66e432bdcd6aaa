#include "paretofl/registry/registry.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using Numbers = Registry<int()>;

Numbers::Entry entry(std::string name, int value) {
  return {{std::move(name), "a number", "", [](OptionVisitor&) {}}, [value] { return value; }};
}

TEST(Registry, PartsAreAddedUnderNewNames) {
  Numbers numbers("number", {entry("one", 1)});
  const RegistryEntry& before = numbers.entry("one");
  for (int i = 2; i < 100; ++i) numbers.add(entry("n" + std::to_string(i), i));
  EXPECT_EQ(&numbers.entry("one"), &before) << "entries stay where they are";
  EXPECT_EQ(numbers.at("n99").make(), 99);
  EXPECT_EQ(numbers.entries().size(), 99U);
}

TEST(Registry, ATakenNameOrAnIncompletePartIsAnError) {
  Numbers numbers("number", {entry("one", 1)});
  const auto failure = [&](const Numbers::Entry& added) -> std::string {
    try {
      numbers.add(added);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(failure(entry("one", 2)), "number: expected a new name, found 'one', which a part of ParetoFL has");
  EXPECT_THAT(failure(entry("", 2)), testing::HasSubstr("expected a name"));
  Numbers::Entry undescribed = entry("two", 2);
  undescribed.describe = nullptr;
  EXPECT_THAT(failure(undescribed), testing::HasSubstr("describe function"));
  Numbers::Entry unmade = entry("two", 2);
  unmade.make = nullptr;
  EXPECT_THAT(failure(unmade), testing::HasSubstr("factory"));
  EXPECT_EQ(numbers.entries().size(), 1U);
}

}  // namespace
}  // namespace paretofl
