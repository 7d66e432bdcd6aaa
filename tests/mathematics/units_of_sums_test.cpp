#include <gtest/gtest.h>

#include "tests/mathematics/judged_pair.h"

namespace paretofl {
namespace {

TEST(UnitsOfSums, StandAtTheEnd) {
  expect_judged({
      {R"(30+10\sqrt3\text{ feet})", R"(30+10\sqrt3)", true},
      {R"(8\pi-16\text{ cm}^2)", R"(8\pi-16)", true},
      {R"(12-\pi\text{ square inches})", R"(12-\pi)", true},
      {R"(2+\sqrt3\text{ cm})", R"(2+\sqrt3)", true},
      {R"((1+\sqrt2)\text{ cm})", R"(1+\sqrt2\text{ cm})", true},
      {R"(2+\sqrt3\text{ cm})", R"(2+\sqrt3\text{ m})", false},
      {R"(2+\sqrt3\text{ cm})", R"(2+\sqrt3\text{ cm}^2)", false},
      {R"(2+\sqrt3\text{ m/s})", R"(2+\sqrt3)", true},
      {R"(2+\sqrt3\,\frac{\text{m}}{\text{s}})", R"(2+\sqrt3\text{ m/s})", true},
      {R"(2\pm\sqrt3\text{ cm})", R"(2\pm\sqrt3)", true},
      {R"(x+5\text{ cm})", R"(x+5)", true},
      {R"(\$30+10\sqrt3)", R"(30+10\sqrt3)", true},
      {R"(30+10\sqrt3\text{ dollars})", R"(\$30+10\sqrt3)", true},
      {R"(2+3\text{ million dollars})", R"(3000002)", false},
      {R"(2+5\%)", R"(7)", false},
      {R"(2\text{ ft}+3\text{ in})", R"(5)", false},
      {R"(6\text{ ft}+3\text{ in})", R"(9\text{ in})", false},
      {R"(2+\sqrt3\text{ m s}^{-1})", R"(2+\sqrt3)", true},
      {R"(30+10\sqrt3\text{ feet})", R"(30\text{ feet}+10\sqrt3\text{ feet})", true},
      {R"(x=30+10\sqrt3\text{ feet})", R"(30+10\sqrt3)", true},
      {R"(x = 5\text{ cm})", R"(5)", true},
      {R"(5\text{ cm}-3)", R"(2)", false},
      {R"(5+3x\text{ cm})", R"(5+3x\text{ m})", false},
      {R"(3+4\text{ m})", R"(3\text{ m}+4)", false},
      {R"(3\text{ cm}+4\text{ m})", R"(7\text{ m})", false},
  });
}

}  // namespace
}  // namespace paretofl
