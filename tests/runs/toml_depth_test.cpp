#include "paretofl/runs/toml_depth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

void expect_refused(const std::string& text, const std::string& message) {
  EXPECT_THAT([&] { parse_config(text, "deep.toml"); }, ThrowsMessage<Error>(HasSubstr(message))) << text.substr(0, 60);
}

TEST(TomlDepth, RefusesKeysOfManyParts) {
  constexpr const char* kMessage = "deep.toml:2: expected keys of at most 32 parts, found more";
  EXPECT_NO_THROW(parse_config("x = 1\na" + repeated(".a", 31) + " = 1\n", "deep.toml"));
  for (const std::size_t parts : {33, 40'000}) {
    const std::string more = repeated(".a", parts - 1), quoted = repeated(" . \"a.b\"", parts - 1), literal = repeated(".'a'", parts - 1);
    expect_refused("x = 1\na" + more + " = 1\n", kMessage);
    expect_refused("x = 1\n[a" + more + "]\n", kMessage);
    expect_refused("x = 1\n[[a" + more + "]]\n", kMessage);
    expect_refused("x = \"\"\na" + quoted + " = 1\n", kMessage);
    expect_refused("x = ''\na" + literal + " = 1\n", kMessage);
    expect_refused("x = \"\"\"\\\"\"\"\"\nb = {c = 1, a" + more + " = 1}\n", kMessage);
    expect_refused("x = 1 # \"\na" + more + " = 1\n", kMessage);
  }
}

TEST(TomlDepth, RefusesNestedListsAndTables) {
  constexpr const char* kMessage = "deep.toml:1: expected lists and tables at most 16 levels deep, found more";
  for (const std::size_t levels : {17, 40'000}) {
    expect_refused("a = " + repeated("[", levels) + repeated("]", levels), kMessage);
    expect_refused("a = " + repeated("{a = ", levels) + "1" + repeated("}", levels), kMessage);
    expect_refused("a = " + repeated("[{a = ", levels), kMessage);
  }
}

TEST(TomlDepth, LooksIntoNoTextAndNoComment) {
  const std::string dots(100, '.'), lists(100, '[');
  const std::string text = "a = \"" + dots + lists + "\\\"" + dots + "\" # " + dots + lists + "\nb = '" + dots + lists +
                           "\\'\nc = \"\"\"\n" + dots + lists + "\"\"\\\"" + lists + "\"\"\"\nd = '''" + dots + "\n" + lists +
                           "''\n'''\ne = [" + repeated("1.5, ", 100) + "2.5]\n";
  const Settings settings = parse_config(text, "plain.toml");
  EXPECT_EQ(settings.values.size(), 5U);
}

TEST(TomlDepth, CountsLines) {
  EXPECT_THAT([] { expect_shallow_toml("a = '''\n\n'''\n# c\n" + repeated("[", 17), "x"); }, ThrowsMessage<Error>(HasSubstr("x:5:")));
}

TEST(TomlDepth, HoldsForOverridesToo) {
  Settings settings;
  EXPECT_THAT([&] { apply_override(settings, "a" + repeated(".a", 40'000) + "=1"); },
              ThrowsMessage<Error>(HasSubstr("--set: expected a key of at most 32 parts")));
  EXPECT_THAT([&] { apply_override(settings, "a=" + repeated("[", 40'000)); },
              ThrowsMessage<Error>(HasSubstr("--set:1: expected lists and tables at most 16 levels deep")));
  EXPECT_THAT([&] { apply_override(settings, "a=1\nb" + repeated(".a", 40'000) + "=1"); },
              ThrowsMessage<Error>(HasSubstr("at most 32 parts")));
}

}  // namespace
}  // namespace paretofl
