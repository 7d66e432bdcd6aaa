#include "paretofl/text/json_member.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(JsonMember, IsTheValueAsItIsWritten) {
  EXPECT_EQ(json_member(R"({"a": 0.10, "b" :1e+05 })", "a"), "0.10");
  EXPECT_EQ(json_member(R"({"a": 0.10, "b" :1e+05 })", "b"), "1e+05");
  EXPECT_EQ(json_member("\xEF\xBB\xBF{\n\t\"a\"\t:\r\n-0\n}\r", "a"), "-0") << "after a byte order mark";
  EXPECT_EQ(json_member(R"({"a": "x", "b": {"a": [1, {"a": 2}], "c": 3}, "d": 4})", "b"), R"({"a": [1, {"a": 2}], "c": 3})");
  EXPECT_EQ(json_member(R"({"a": [1, 2], "d": 4})", "a"), "[1, 2]");
}

TEST(JsonMember, KeysAreReadAsJsonReadsThem) {
  EXPECT_EQ(json_member(R"({"x": {"a": 1}, "a": 2})", "a"), "2") << "of the object itself";
  EXPECT_EQ(json_member(R"({"x": "a", "\u0061": 2})", "a"), "2");
  EXPECT_EQ(json_member(R"({"x": "\"a\": 1, ", "a": 2})", "a"), "2");
  EXPECT_EQ(json_member(R"({"x\\": ":,}", "a": 2})", "a"), "2");
  EXPECT_EQ(json_member(R"({"a": 1, "a": 2, "b": 3})", "a"), "2") << "the last";
  EXPECT_EQ(json_member(R"({"x": "a"})", "a"), "");
  EXPECT_EQ(json_member("{}", "a"), "");
}

}  // namespace
}  // namespace paretofl
