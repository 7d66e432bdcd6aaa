#include "paretofl/core/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonText, RefusesWhatIsNestedTooDeep) {
  EXPECT_NO_THROW(parse_json(nested(200), "deep.json"));
  EXPECT_THAT([] { parse_json(nested(200'000), "deep.json"); },
              ThrowsMessage<Error>(HasSubstr("deep.json: expected JSON at most 200 levels deep, found 200000")));
  EXPECT_THAT([] { parse_ordered_json(nested(200'000), "deep.json"); }, ThrowsMessage<Error>(HasSubstr("at most 200 levels deep")));
  const std::string in_a_text = "[\"\\\"" + std::string(300, '[') + "\"]";
  EXPECT_EQ(parse_json(in_a_text, "text.json").at(0).get<std::string>(), "\"" + std::string(300, '['));
}

TEST(JsonText, SaysWhereItBreaks) {
  EXPECT_THAT([] { parse_json("{\"a\": }", "broken.json"); }, ThrowsMessage<Error>(HasSubstr("broken.json: expected JSON, found: ")));
}

TEST(JsonText, RefusesNumbersThatNoDoubleHolds) {
  for (const auto& parse : {+[] { parse_json("[1, -1e999]", "rows:2"); }, +[] { parse_ordered_json("[1, -1e999]", "rows:2"); }}) {
    EXPECT_THAT(parse, ThrowsMessage<Error>("rows:2: expected numbers that a double holds, found '-1e999'"));
  }
}

TEST(JsonText, KeepsTheOrderOfKeysWhereAsked) { EXPECT_EQ(parse_ordered_json(R"({"b": 1, "a": 2})", "x").dump(), R"({"b":1,"a":2})"); }

TEST(JsonText, ActsOnNoTerminal) {
  EXPECT_EQ(json_text(nlohmann::json{{"name", "\x1b\x7f\xc2\x9b\xe2\x80\xae"}}), "{\"name\":\"\\u001b\\u007f\\u009b\\u202e\"}");
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_text(nlohmann::json{{"name", "caf\xe9"}}), "{\"name\":\"caf\xef\xbf\xbd\"}");
  EXPECT_EQ(json_text(nlohmann::json{1}, 2), "[\n  1\n]");
}

}  // namespace
}  // namespace paretofl
