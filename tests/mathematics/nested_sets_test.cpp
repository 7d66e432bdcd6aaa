#include <gtest/gtest.h>

#include "tests/mathematics/judged_pair.h"

namespace paretofl {
namespace {

TEST(NestedSets, AreNotTheirElements) {
  expect_judged({
      {R"(\{\{1\},\{2\}\})", R"(\{1,2\})", false},
      {R"(\{\{1\}\})", R"(1)", false},
      {R"(\{\{1\}\})", R"(\{1\})", false},
      {R"(\{\{1\}\})", R"(\{\{1\}\})", true},
      {R"(\{1\})", R"(1)", true},
      {R"((\{1\},2))", R"((1,2))", false},
      {R"(\{1\},\{2\})", R"(1,2)", false},
      {R"(\{1\},\{2\})", R"(\{1,2\})", false},
      {R"(\{\emptyset,1\})", R"(\{1,\{\}\})", true},
      {R"(\{\emptyset\})", R"(\emptyset)", false},
      {R"(\{1,\{2\}\})", R"(\{1,2\})", false},
      {R"(\{\{1,2\},3\})", R"(\{3,\{2,1\}\})", true},
      {R"(\{\{1,2\},3\})", R"(\{\{1,3\},2\})", false},
      {R"(A=\{1\},B=\{2\})", R"(\{1\},\{2\})", true},
      {R"(A=\{1\},B=\{2\})", R"(2,1)", false},
      {R"(\{(1,2)\})", R"((1,2))", true},
      {R"(\{\})", R"(\emptyset)", true},
      {R"(\{\{\}\})", R"(\emptyset)", false},
      {R"(\{\emptyset\})", R"(\{\})", false},
  });
}

}  // namespace
}  // namespace paretofl
