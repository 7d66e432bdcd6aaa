#include "paretofl/agents/episode_preference.h"

#include <algorithm>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"

namespace paretofl {

void draw_weights(Random& random, std::span<float> weights) {
  const std::vector<double> drawn = random.dirichlet(std::vector<double>(weights.size(), 1));
  std::transform(drawn.begin(), drawn.end(), weights.begin(), [](double x) { return static_cast<float>(x); });
}

EpisodePreference::EpisodePreference(const Preference& own, const std::string& acting)
    : drawn_(acting == "drawn"), weights_(own.weights().begin(), own.weights().end()) {}

std::span<const float> EpisodePreference::at_step(Random& explore) {
  if (draws_next_) draw_weights(explore, weights_);
  draws_next_ = false;
  return weights_;
}

void EpisodePreference::save(Record& state) const {
  state.arrays.emplace("acting", Array(std::span(weights_)));
  state.scalars.emplace("draws_next", draws_next_ ? 1 : 0);
}

void EpisodePreference::load(const Record& state) {
  const auto weights = float_array(state, "acting", weights_.size());
  for (const float weight : weights) expect(weight >= 0 && weight <= 1, "agent: expected weights from 0 to 1 in acting, found {}", weight);
  const std::int64_t draws_next = count_scalar(state, "draws_next");
  expect(draws_next <= 1, "agent: expected 0 or 1 for draws_next, found {}", draws_next);
  std::ranges::copy(weights, weights_.begin());
  draws_next_ = draws_next == 1;
}

}  // namespace paretofl
