#pragma once

#include <array>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Collect shapes in four rooms on the way to a goal (Barreto et al. 2017, as in MO-Gymnasium).
///
/// Observation int32: row and column on a 13 x 13 grid, then whether each of the 12 shapes has been collected, by column
/// and in it by row. Starts at (12, 0). Actions 0 left, 1 up, 2 right, 3 down; a move off the grid or into a wall stays.
/// Reward per kind of shape (blue square, green triangle, red circle): 1 when one is collected, 1 in all three at the
/// goal (0, 12), which terminates. 200 steps.
class FourRoom : public Environment {
 public:
  static constexpr std::size_t kShapes = 12;

  explicit FourRoom(std::string id);

 private:
  void start(Random random) override;
  bool advance(std::span<const double> action, std::span<double> reward) override;
  void write_observation(std::span<double> observation) const override;
  Record save_state() const override;
  void load_state(const Record& state) override;

  int row_ = 0;
  int column_ = 0;
  std::array<bool, kShapes> collected_{};
};

}  // namespace paretofl
