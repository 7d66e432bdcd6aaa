#pragma once

#include <cstddef>
#include <string>

#include "paretofl/report/comparison.h"

namespace paretofl {

/// The letter that stands for a group in tables and plots; '+' beyond the alphabet.
char letter(std::size_t group);

/// A number for the terminal: four decimals, fewer for larger ones; "-" where it is unknown, and with its
/// spread where that is known. `scale` is the largest number it stands with.
std::string terminal_number(const Estimate& estimate, double scale, int fewer_digits = 0);

/// What follows the table of a comparison: with many objectives, a table of them; curves of the test metric
/// and of the objective weights as rows of blocks; each strategy's front; seconds per round and phase. At
/// most `width` characters wide.
std::string terminal_details(const Comparison& comparison, std::size_t width);

}  // namespace paretofl
