#include "paretofl/environments/resource_gathering.h"

#include <algorithm>
#include <array>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kSize = 5;
constexpr double kDeathRate = 0.1;
constexpr std::array<int, 4> kRowMove = {-1, 1, 0, 0};
constexpr std::array<int, 4> kColumnMove = {0, 0, -1, 1};

enum class Cell { kGround, kGold, kGem, kEnemy, kHome };

Cell cell_at(int row, int column) {
  if (row == 0 && column == 2) return Cell::kGold;
  if (row == 1 && column == 4) return Cell::kGem;
  if ((row == 0 && column == 3) || (row == 1 && column == 2)) return Cell::kEnemy;
  if (row == 4 && column == 2) return Cell::kHome;
  return Cell::kGround;
}

}  // namespace

ResourceGathering::ResourceGathering(std::string id)
    : Environment({.id = std::move(id),
                   .observation = {ObservationSpace::Type::kInt32, std::vector<double>(4, 0), std::vector<double>(4, kSize)},
                   .action = {.choices = 4, .low = {}, .high = {}},
                   .objective_names = {"survival", "gold", "gem"},
                   .max_episode_steps = 100}) {}

void ResourceGathering::start(Random) {
  row_ = 4;
  column_ = 2;
  has_gold_ = has_gem_ = false;
}

bool ResourceGathering::advance(std::span<const double> action, std::span<double> reward) {
  const auto direction = static_cast<std::size_t>(action[0]);
  row_ = std::clamp(row_ + kRowMove[direction], 0, kSize - 1);
  column_ = std::clamp(column_ + kColumnMove[direction], 0, kSize - 1);
  const Cell cell = cell_at(row_, column_);
  has_gold_ = has_gold_ || cell == Cell::kGold;
  has_gem_ = has_gem_ || cell == Cell::kGem;
  const bool home = cell == Cell::kHome;
  const bool killed = cell == Cell::kEnemy && step_random().uniform() < kDeathRate;
  reward[0] = killed ? -1 : 0;
  reward[1] = home && has_gold_ ? 1 : 0;
  reward[2] = home && has_gem_ ? 1 : 0;
  return home || killed;
}

void ResourceGathering::write_observation(std::span<double> observation) const {
  observation[0] = row_;
  observation[1] = column_;
  observation[2] = has_gold_ ? 1 : 0;
  observation[3] = has_gem_ ? 1 : 0;
}

Record ResourceGathering::save_state() const {
  Record state;
  state.arrays.emplace("walker", Array(std::array<std::int64_t, 4>{row_, column_, has_gold_ ? 1 : 0, has_gem_ ? 1 : 0}));
  return state;
}

void ResourceGathering::load_state(const Record& state) {
  const auto walker = state.array("walker").ints();
  const auto within = [&](std::size_t i, std::int64_t bound) { return walker[i] >= 0 && walker[i] < bound; };
  expect(walker.size() == 4 && within(0, kSize) && within(1, kSize) && within(2, 2) && within(3, 2),
         "{}: expected a walker on the grid, found another state", spec().id);
  row_ = static_cast<int>(walker[0]);
  column_ = static_cast<int>(walker[1]);
  has_gold_ = walker[2] == 1;
  has_gem_ = walker[3] == 1;
}

}  // namespace paretofl
