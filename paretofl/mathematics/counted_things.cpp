#include "paretofl/mathematics/counted_things.h"

#include <algorithm>

#include "paretofl/mathematics/units.h"

namespace paretofl {

CountedThings::CountedThings(MathSpan tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto is_next = [&](std::size_t ahead) { return i + ahead < tokens.size() && is_counted(tokens[i + ahead]); };
    if (!is_next(0) || is_next(1)) continue;  // of lattice points, points
    const bool raised = i + 2 < tokens.size() && tokens[i + 1] == "^";
    things_.push_back({tokens[i], raised ? tokens[i + 2] : std::string_view()});
  }
}

bool CountedThings::may_be(const CountedThings& other) const {
  if (none() || other.none()) return true;
  return std::equal(things_.begin(), things_.end(), other.things_.begin(), other.things_.end(),
                    [](const Thing& a, const Thing& b) { return a.token == b.token ? a.power == b.power : same_thing(a.token, b.token); });
}

}  // namespace paretofl
