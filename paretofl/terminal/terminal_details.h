#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paretofl/report/comparison.h"

namespace paretofl {

/// The letter that stands for a group in tables and plots; '+' beyond the alphabet.
char letter(std::size_t group);

/// A number for the terminal: four decimals, fewer for larger ones; "-" where it is unknown, and with its
/// spread where that is known. `scale` is the largest number it stands with.
std::string terminal_number(const Estimate& estimate, double scale, int fewer_digits = 0);

/// The reference point of the hypervolumes above it, in lines of at most `width` characters.
std::string reference_line(const std::vector<double>& reference, std::size_t width);

/// What follows the table of a comparison: with many objectives, a table of them; curves of the test metric
/// and of the objective weights as rows of blocks; each strategy's front; seconds per round and phase. At
/// most `width` characters wide. The fronts are over `points`, the comparison of the same runs with the points of their own fronts
/// (front_points.h). `reference` as for run_fronts.
std::string terminal_details(const Comparison& comparison, const Comparison& points, std::size_t width,
                             const std::vector<double>& reference);

}  // namespace paretofl
