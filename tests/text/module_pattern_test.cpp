#include "paretofl/text/module_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/text/regex.h"

namespace paretofl {
namespace {

std::string refusal(const std::string& pattern) {
  try {
    check_module_pattern(pattern, "adapter");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModulePattern, MayBeWhatPythonReadsAlike) {
  for (const char* pattern : {"q_proj",
                              R"(model\.layers\.(\d+)\.(?:mlp|self_attn)\.[a-z]+_proj)",
                              R"(.*\.layers\.[0-3]\..*(q|v)_proj)",
                              "(?i)Q_PROJ",
                              ".*(?i:Q)_proj",
                              R"(^.*\b[qv]_proj$)",
                              R"(\A.*_proj\Z)",
                              "(?!.*lm_head).*",
                              ".*(?<=q)_proj",
                              ".*(?<!q)_proj",
                              "(?>.*)",
                              "[^.]+",
                              R"([\w.-]+)",
                              R"([\]\[&|-]+)",
                              "[a-z&|~-]+",
                              "a*?b+?c??",
                              "a{2}b{2,}c{,2}d{1,2}",
                              "a{1,2}?b{,2}?c{2,}?",
                              R"(\{x\}\-\/_)",
                              "x}y]",
                              "",
                              "q_proj|v_proj"}) {
    EXPECT_EQ(refusal(pattern), "no error") << pattern;
  }
}

TEST(ModulePattern, IsRefusedWhereOnigurumaReadsItOtherwise) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {R"(.*\hproj)", R"(\h)"},
      {R"(.*\Hproj)", R"(\H)"},
      {R"(\p{L}+)", R"(\p)"},
      {R"(\Qa\E)", R"(\Q)"},
      {R"((a)\1)", R"(\1)"},
      {R"(\x71_proj)", R"(\x)"},
      {R"(a\\\Kb)", R"(\K)"},
      {R"([\h])", R"(\h)"},
      {R"([\b])", R"(\b)"},
      {R"(.*[a-z&&[q]]_proj)", "&& in a class"},
      {R"([a-z&&q])", "&& in a class"},
      {R"([+--])", "-- in a class"},
      {R"([a~~b])", "~~ in a class"},
      {R"([a||b])", "|| in a class"},
      {R"(.*[[:alpha:]])", "[ in a class"},
      {R"([a[b]])", "[ in a class"},
      {R"([^\][a])", "[ in a class"},
      {R"([]a])", "] at the beginning of a class"},
      {R"([^]a])", "] at the beginning of a class"},
      {"a++", "++"},
      {"a*+", "*+"},
      {"a?+", "?+"},
      {"a**", "**"},
      {"a{2}+", "{2}+"},
      {"a{1,2}+", "{1,2}+"},
      {"a{2}?", "{2}?"},
      {"a{2}{3}", "{2}{"},
      {"a+?+", "+?+"},
      {"a{3,1}", "a repetition of at least more than at most"},
      {"a{,}", "{ that begins no repetition such as {2} or {1,3}"},
      {"a{}", "{ that begins no repetition such as {2} or {1,3}"},
      {"a{x}", "{ that begins no repetition such as {2} or {1,3}"},
      {"a{2", "{ that begins no repetition such as {2} or {1,3}"},
      {"(?P<n>a)", "(?P"},
      {"(?<n>a)", "(?<"},
      {"(?m)a", "(?m"},
      {"(?s:a)", "(?s"},
      {"(?x)a #", "(?x"},
      {"(?-i:a)", "(?-"},
      {"(?~a)", "(?~"},
      {"(?#a)", "(?#"},
      {"(a)(?(1)b)", "(?("},
      {"(*FAIL)|a", "(*"},
      {"a(?i)b|c", "(?i) behind the beginning"},
      {"(?i)\xC3\x9F", "characters outside ASCII"},
  };
  for (const auto& [pattern, part] : refused) {
    EXPECT_THAT(refusal(pattern), testing::StartsWith("adapter: expected a regular expression without " + part + ", which Oniguruma and"))
        << pattern;
  }
}

TEST(ModulePattern, IsOneExpression) {
  EXPECT_EQ(refusal("(a"), "adapter: expected a regular expression, found '(a': end pattern with unmatched parenthesis");
  for (const char* pattern : {"a)|(b", "[a", "a\\", "*a", "(?", "(?<", "[a\\", "a{100001}"}) {
    EXPECT_THAT(refusal(pattern), testing::StartsWith("adapter: expected a regular expression")) << pattern;
  }
  EXPECT_THAT(refusal(std::string(1001, 'q')), testing::HasSubstr("of at most 1000 characters, found 1001"));
}

}  // namespace
}  // namespace paretofl
