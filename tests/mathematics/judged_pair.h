#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "paretofl/mathematics/math_answer.h"

namespace paretofl {

/// Two answers, and whether they say the same.
struct JudgedPair {
  const char* a;
  const char* b;
  bool same;
};

/// Expects the same of both orders of every pair.
inline void expect_judged(const std::vector<JudgedPair>& pairs) {
  for (const auto& [a, b, same] : pairs) {
    EXPECT_EQ(same_math_answer(a, b), same) << a << " beside " << b;
    EXPECT_EQ(same_math_answer(b, a), same) << b << " beside " << a;
  }
}

}  // namespace paretofl
