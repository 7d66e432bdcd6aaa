#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "paretofl/core/random.h"

namespace paretofl {

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// QM9's water, with another index and every property changed by the factor 1 + `change`.
inline std::string qm9_water(int index, double change = 0) {
  std::string text = fmt::format("3\ngdb {}", index);
  for (const double property : {799.58812, 437.90386, 282.94545, 1.8511, 6.31, -0.2928, 0.0687, 0.3615, 19.0002, 0.021375, -76.404702,
                                -76.401867, -76.400922, -76.422349, 6.002}) {
    text += fmt::format("\t{}", property * (1 + change));
  }
  return text +
         "\nO\t-0.0343604951\t 0.9775395708\t 0.0076015923\t-0.589706\n"
         "H\t 0.0647664923\t 0.0205721989\t 0.0015346341\t 0.294853\n"
         "H\t 0.8717903737\t 1.3007924048\t 0.0006931336\t 0.294853\n"
         "1671.4222\t3803.6305\t3907.698\nO\tO\t\nInChI=1S/H2O/h1H2\tInChI=1S/H2O/h1H2\n";
}

/// A list of molecules of random shape as qm9_geometries reads it: chains of C and H that begin with C, N, O or F, and
/// on every third a ring of three carbon atoms.
inline std::string geometry_list(int count, std::uint64_t seed) {
  Random random({.seed = seed}, "geometries");
  std::string text;
  for (int n = 0; n < count; ++n) {
    if (n > 0) text += "\n";
    text += fmt::format("molecule{}\n{} 0 0 0\n", n, "CNOF"[random.below(4)]);
    if (n % 3 == 0) text += "C -4 0 0\nC -5.5 0 0\nC -4.75 1.3 0\n";
    const auto atoms = 2 + random.below(4);
    for (std::uint64_t i = 0; i < atoms; ++i) {
      text += fmt::format("{} {} {} {}\n", "HC"[random.below(2)], 1.4 * static_cast<double>(i + 1), random.uniform(-0.6, 0.6),
                          random.uniform(-0.6, 0.6));
    }
    text += fmt::format("{}\n", random.uniform(-40, -20));
  }
  return text;
}

}  // namespace paretofl
