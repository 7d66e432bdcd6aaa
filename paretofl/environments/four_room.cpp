#include "paretofl/environments/four_room.h"

#include <algorithm>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kSize = 13;
/// # wall, 0 1 2 the kinds of shapes, G the goal.
constexpr std::array<std::string_view, kSize> kMap = {"0....1#.....G",  //
                                                      "......#......",  //
                                                      "......0......",  //
                                                      ".............",  //
                                                      "......#......",  //
                                                      "1....2#......",  //
                                                      "##2.#####.0##",  //
                                                      "......#1....2",  //
                                                      "......#......",  //
                                                      ".............",  //
                                                      "......1......",  //
                                                      "......#......",  //
                                                      "......#2....0"};
constexpr std::array<int, 4> kRowMove = {0, -1, 0, 1};
constexpr std::array<int, 4> kColumnMove = {-1, 0, 1, 0};

char cell_at(int row, int column) { return kMap[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }

bool is_shape(char cell) { return cell >= '0' && cell <= '2'; }

bool can_stand(std::int64_t row, std::int64_t column) {
  return row >= 0 && row < kSize && column >= 0 && column < kSize && cell_at(static_cast<int>(row), static_cast<int>(column)) != '#';
}

/// The number of the shape at a cell: shapes before it, column by column.
std::size_t shape_at(int row, int column) {
  std::size_t before = 0;
  for (int c = 0; c <= column; ++c) {
    for (int r = 0; r < (c < column ? kSize : row); ++r) before += is_shape(cell_at(r, c)) ? 1 : 0;
  }
  return before;
}

std::vector<double> bounds(double each) { return std::vector<double>(2 + FourRoom::kShapes, each); }

}  // namespace

FourRoom::FourRoom(std::string id)
    : Environment({.id = std::move(id),
                   .observation = {ObservationSpace::Type::kInt32, bounds(0), bounds(kSize)},
                   .action = {.choices = 4, .low = {}, .high = {}},
                   .objective_names = {"blue_squares", "green_triangles", "red_circles"},
                   .max_episode_steps = 200}) {}

void FourRoom::start(Random) {
  row_ = kSize - 1;
  column_ = 0;
  collected_ = {};
}

bool FourRoom::advance(std::span<const double> action, std::span<double> reward) {
  std::fill(reward.begin(), reward.end(), 0);
  const auto direction = static_cast<std::size_t>(action[0]);
  const int row = row_ + kRowMove[direction];
  const int column = column_ + kColumnMove[direction];
  if (!can_stand(row, column)) return false;
  row_ = row;
  column_ = column;
  const char cell = cell_at(row, column);
  if (cell == 'G') std::fill(reward.begin(), reward.end(), 1);
  if (is_shape(cell)) {
    bool& collected = collected_[shape_at(row, column)];
    if (!collected) reward[static_cast<std::size_t>(cell - '0')] = 1;
    collected = true;
  }
  return cell == 'G';
}

void FourRoom::write_observation(std::span<double> observation) const {
  observation[0] = row_;
  observation[1] = column_;
  for (std::size_t shape = 0; shape < kShapes; ++shape) observation[2 + shape] = collected_[shape] ? 1 : 0;
}

Record FourRoom::save_state() const {
  std::array<std::int64_t, 2 + kShapes> walker = {row_, column_};
  std::copy(collected_.begin(), collected_.end(), walker.begin() + 2);
  Record state;
  state.arrays.emplace("walker", Array(walker));
  return state;
}

void FourRoom::load_state(const Record& state) {
  const auto walker = state.array("walker").ints();
  const bool possible = walker.size() == 2 + kShapes && can_stand(walker[0], walker[1]) &&
                        std::all_of(walker.begin() + 2, walker.end(), [](std::int64_t flag) { return flag == 0 || flag == 1; });
  expect(possible, "{}: expected a walker in one of the rooms, found another state", spec().id);
  row_ = static_cast<int>(walker[0]);
  column_ = static_cast<int>(walker[1]);
  std::transform(walker.begin() + 2, walker.end(), collected_.begin(), [](std::int64_t flag) { return flag == 1; });
}

}  // namespace paretofl
