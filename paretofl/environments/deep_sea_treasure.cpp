#include "paretofl/environments/deep_sea_treasure.h"

#include <array>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kRows = 11;
constexpr std::array<int, 4> kRowMove = {-1, 1, 0, 0};
constexpr std::array<int, 4> kColumnMove = {0, 0, -1, 1};

struct Sea {
  int start = 0;                  ///< the column of the start
  std::vector<int> deepest;       ///< by column, the lowest row that the submarine can enter: its treasure's, or the last row of water
  std::vector<double> treasures;  ///< by column; 0: none

  int columns() const { return static_cast<int>(deepest.size()); }
};

Sea sea(SeaMap map) {
  if (map == SeaMap::kMirrored) {
    return {.start = 10,
            .deepest = {10, 9, 7, 7, 4, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4, 4, 7, 7, 9, 10},
            .treasures = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 8, 16, 24, 50, 74, 124}};
  }
  Sea sea{.start = 0, .deepest = {1, 2, 3, 4, 4, 4, 7, 7, 9, 10, 10}, .treasures = {1, 2, 3, 5, 8, 16, 24, 50, 74, 124, 0}};
  if (map == SeaMap::kConvex) sea.treasures = {0.7, 8.2, 11.5, 14, 15.1, 16.1, 19.6, 20.3, 22.4, 23.7, 0};
  return sea;
}

class DeepSeaTreasure : public Environment {
 public:
  DeepSeaTreasure(std::string id, Sea sea)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kInt32, {0, 0}, {kRows - 1, sea.columns() - 1.0}},
                     .action = {.choices = 4, .low = {}, .high = {}},
                     .objective_names = {"treasure", "time"},
                     .max_episode_steps = 100}),
        sea_(std::move(sea)) {}

 private:
  void start(Random) override {
    row_ = 0;
    column_ = sea_.start;
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const auto direction = static_cast<std::size_t>(action[0]);
    const int row = row_ + kRowMove[direction];
    const int column = column_ + kColumnMove[direction];
    if (is_water(row, column)) {
      row_ = row;
      column_ = column;
    }
    const auto place = static_cast<std::size_t>(column_);
    const bool found = sea_.treasures[place] > 0 && row_ == sea_.deepest[place];
    reward[0] = found ? static_cast<float>(sea_.treasures[place]) : 0.0F;
    reward[1] = -1;
    return found;
  }

  void write_observation(std::span<double> observation) const override {
    observation[0] = row_;
    observation[1] = column_;
  }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("position", Array(std::array<std::int64_t, 2>{row_, column_}));
    return state;
  }

  void load_state(const Record& state) override {
    const auto position = state.array("position").ints();
    expect(position.size() == 2 && is_water(position[0], position[1]), "{}: expected a position in the water, found another", spec().id);
    row_ = static_cast<int>(position[0]);
    column_ = static_cast<int>(position[1]);
  }

  bool is_water(std::int64_t row, std::int64_t column) const {
    return row >= 0 && column >= 0 && column < sea_.columns() && row <= sea_.deepest[static_cast<std::size_t>(column)];
  }

  Sea sea_;
  int row_ = 0;
  int column_ = 0;
};

}  // namespace

std::unique_ptr<Environment> make_deep_sea_treasure(std::string id, SeaMap map) {
  return std::make_unique<DeepSeaTreasure>(std::move(id), sea(map));
}

}  // namespace paretofl
