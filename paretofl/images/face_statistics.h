#pragma once

#include <array>
#include <cstdint>

namespace paretofl {

/// Summary statistics of CelebA's attribute table (202,599 rows; Liu et al. 2015, for non-commercial research), which
/// itself is no part of this project: how often each attribute occurs, of 10,000, and for each pair the tetrachoric
/// correlation in percent, row k holding those with attributes 0 to k - 1.
extern const std::array<std::int16_t, 40> kAttributeFrequencies;
extern const std::array<std::int8_t, 780> kAttributeCorrelations;

}  // namespace paretofl
