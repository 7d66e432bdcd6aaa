#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/text/dimension_pairs.h"

namespace paretofl {

/// Pairs to train on and pairs to evaluate on. A prompt is on one side alone, whatever its pairs' dimensions.
struct PairSplit {
  std::vector<DimensionPair> training;
  std::vector<DimensionPair> held_out;
};

/// Holds out about one of `every` >= 2 distinct prompts of each dimension, with all pairs of the prompt. Both sides keep the order.
///
/// Prompts are looked at in order of their first appearance. Of each dimension, let the deficit be the number of its prompts up to then,
/// less `every` times those that are held out. A prompt is held out if the mean deficit of the dimensions that have it is at least `every`,
/// or if one of these has `every` prompts and none that is held out. So dimensions with equal prompts, or with none in common, hold out
/// the last of each `every` prompts; others are near that share, and a dimension with `every` prompts holds out at least one.
PairSplit hold_out_pairs(std::vector<DimensionPair> pairs, std::int64_t every);

/// Takes the pairs of `training` away whose prompts occur in `held_out`, and returns how many.
std::size_t remove_held_out(std::vector<DimensionPair>& training, const std::vector<DimensionPair>& held_out);

}  // namespace paretofl
