#include "paretofl/environments/deep_sea_treasure.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kSize = 11;
/// The lowest row a column lets the submarine into: its treasure's, or the bottom of open water.
constexpr std::array<int, kSize> kDeepest = {1, 2, 3, 4, 4, 4, 7, 7, 9, 10, 10};
constexpr std::array<int, 4> kRowMove = {-1, 1, 0, 0};
constexpr std::array<int, 4> kColumnMove = {0, 0, -1, 1};

bool is_water(std::int64_t row, std::int64_t column) {
  return row >= 0 && column >= 0 && column < kSize && row <= kDeepest[static_cast<std::size_t>(column)];
}

}  // namespace

DeepSeaTreasure::DeepSeaTreasure(std::string id, const Treasures& treasures)
    : Environment({.id = std::move(id),
                   .observation = {ObservationSpace::Type::kInt32, {0, 0}, {kSize - 1, kSize - 1}},
                   .action = {.choices = 4, .low = {}, .high = {}},
                   .objective_names = {"treasure", "time"},
                   .max_episode_steps = 100}),
      treasures_(treasures) {}

void DeepSeaTreasure::start(Random) { row_ = column_ = 0; }

bool DeepSeaTreasure::advance(std::span<const double> action, std::span<double> reward) {
  const auto direction = static_cast<std::size_t>(action[0]);
  const int row = row_ + kRowMove[direction];
  const int column = column_ + kColumnMove[direction];
  if (is_water(row, column)) {
    row_ = row;
    column_ = column;
  }
  const auto place = static_cast<std::size_t>(column_);
  const bool found = place < treasures_.size() && row_ == kDeepest[place];
  reward[0] = found ? static_cast<float>(treasures_[place]) : 0.0F;
  reward[1] = -1;
  return found;
}

void DeepSeaTreasure::write_observation(std::span<double> observation) const {
  observation[0] = row_;
  observation[1] = column_;
}

Record DeepSeaTreasure::save_state() const {
  Record state;
  state.arrays.emplace("position", Array(std::array<std::int64_t, 2>{row_, column_}));
  return state;
}

void DeepSeaTreasure::load_state(const Record& state) {
  const auto position = state.array("position").ints();
  expect(position.size() == 2 && is_water(position[0], position[1]), "{}: expected a position in the water, found another state",
         spec().id);
  row_ = static_cast<int>(position[0]);
  column_ = static_cast<int>(position[1]);
}

}  // namespace paretofl
