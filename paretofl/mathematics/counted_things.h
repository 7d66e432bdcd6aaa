#pragma once

#include <string_view>
#include <vector>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// What an answer counts, which its value leaves out: boys and girls of 3 boys and 4 girls, square units of 5 square units.
class CountedThings {
 public:
  explicit CountedThings(MathSpan tokens);

  bool none() const { return things_.empty(); }
  /// Whether both may count the same: one does not say what it counts, or neither counts what the other does not.
  bool may_be(const CountedThings& other) const;

  friend bool operator==(const CountedThings&, const CountedThings&) = default;

 private:
  struct Thing {
    std::string_view token;
    std::string_view power;

    friend bool operator==(const Thing&, const Thing&) = default;
  };

  std::vector<Thing> things_;
};

}  // namespace paretofl
