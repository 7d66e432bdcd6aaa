#include "paretofl/scalarized/expected_losses.h"

namespace paretofl {

bool ExpectedLosses::some_rose(const Cohort& cohort, std::span<const double> losses) const {
  std::size_t rose = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const auto client = static_cast<std::size_t>(cohort.clients[i]);
    rose += rounds_[client] > 0 && losses[i] > expected_[client] ? 1 : 0;
  }
  return rose > 0 && rose < losses.size();
}

void ExpectedLosses::add(const Cohort& cohort, std::span<const double> losses) {
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const auto client = static_cast<std::size_t>(cohort.clients[i]);
    double& rounds = rounds_[client];
    double& expected = expected_[client];
    if (rounds == 0 || losses[i] <= expected) expected = (rounds * expected + losses[i]) / (rounds + 1);
    rounds += 1;
  }
}

void ExpectedLosses::save(Record& state) const {
  state.arrays.insert_or_assign("expected_losses", Array(std::span(expected_)));
  state.arrays.insert_or_assign("client_rounds", Array(std::span(rounds_)));
}

void ExpectedLosses::load(const Record& state) {
  const auto expected = double_array(state, "expected_losses", expected_.size());
  const auto rounds = double_array(state, "client_rounds", rounds_.size());
  expected_.assign(expected.begin(), expected.end());
  rounds_.assign(rounds.begin(), rounds.end());
}

}  // namespace paretofl
