#pragma once

#include <array>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// A submarine looks for treasure (Vamplew et al. 2011; maps of Yang et al. 2019 as in MO-Gymnasium). Ten columns of an
/// 11 x 11 sea end in a treasure with rock below it; the eleventh is open water.
///
/// Observation (row, column), int32, from (0, 0). Actions 0 up, 1 down, 2 left, 3 right; a move off the map or into rock
/// leaves the submarine where it is. Reward float32 (treasure, -1); reaching a treasure terminates. 100 steps.
class DeepSeaTreasure : public Environment {
 public:
  using Treasures = std::array<double, 10>;  ///< by column

  static constexpr Treasures kConvex = {0.7, 8.2, 11.5, 14, 15.1, 16.1, 19.6, 20.3, 22.4, 23.7};
  static constexpr Treasures kConcave = {1, 2, 3, 5, 8, 16, 24, 50, 74, 124};

  DeepSeaTreasure(std::string id, const Treasures& treasures);

 private:
  void start(Random random) override;
  bool advance(std::span<const double> action, std::span<double> reward) override;
  void write_observation(std::span<double> observation) const override;
  Record save_state() const override;
  void load_state(const Record& state) override;

  Treasures treasures_;
  int row_ = 0;
  int column_ = 0;
};

}  // namespace paretofl
