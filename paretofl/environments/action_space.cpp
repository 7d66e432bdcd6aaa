#include "paretofl/environments/action_space.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

void ActionSpace::check(std::span<const double> action, std::string_view environment) const {
  expect(action.size() == size(), "{}: expected an action of {} number{}, found {}", environment, size(), size() == 1 ? "" : "s",
         action.size());
  if (discrete()) {
    const bool legal = action[0] >= 0 && action[0] < static_cast<double>(choices) && action[0] == std::floor(action[0]);
    expect(legal, "{}: expected an integer action from 0 to {}, found {}", environment, choices - 1, action[0]);
    return;
  }
  for (const double number : action)
    expect(std::isfinite(number), "{}: expected an action of finite numbers, found {}", environment, number);
}

void ActionSpace::sample(Random& random, std::span<double> action) const {
  if (discrete()) {
    action[0] = static_cast<double>(random.below(static_cast<std::uint64_t>(choices)));
    return;
  }
  for (std::size_t i = 0; i < action.size(); ++i) action[i] = random.uniform(low[i], high[i]);
}

}  // namespace paretofl
