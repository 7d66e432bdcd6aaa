#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "paretofl/mathematics/math_answer.h"

namespace paretofl {

/// Texts of up to `longest` random pieces of LaTeX: an answer is itself, and comparing has no order.
inline void expect_order_does_not_matter(const std::vector<std::string>& pieces, unsigned seed, unsigned longest) {
  std::mt19937 random(seed);
  const auto text = [&] {
    std::string text;
    for (unsigned size = 1 + random() % longest; size > 0; --size) text += pieces[random() % pieces.size()];
    return text;
  };
  for (int round = 0; round < 5000; ++round) {
    const std::string a = text();
    const std::string b = text();
    EXPECT_EQ(same_math_answer(a, a), is_math_answer(a)) << a;
    EXPECT_EQ(same_math_answer(a, b), same_math_answer(b, a)) << a << " and " << b;
  }
}

}  // namespace paretofl
