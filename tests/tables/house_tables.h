#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "paretofl/core/random.h"

namespace paretofl {

/// CSV files of `clients` towns, town1.csv and so on, each of `rows` houses: their area, age and district, a price that is nearly linear
/// in them, and whether they are sold, which depends on area and age.
inline std::map<std::string, std::string> house_tables(int clients, int rows, std::uint64_t seed = 1) {
  std::map<std::string, std::string> files;
  for (int client = 1; client <= clients; ++client) {
    Random random({seed, 0, static_cast<std::uint32_t>(client)}, "houses");
    std::string text = "area,age,district,price,sold\n";
    for (int row = 0; row < rows; ++row) {
      const double area = random.uniform(30, 200);
      const double age = random.uniform(0, 90);
      const char* district = random.below(2) == 0 ? "lake" : "hills";
      const double price = 2 * area - age + (*district == 'l' ? 40 : 0) + 5 * random.normal();
      text +=
          fmt::format("{:.1f},{:.0f},{},{:.1f},{}\n", area, age, district, price, area - age + 10 * random.normal() > 60 ? "yes" : "no");
    }
    files[fmt::format("town{}.csv", client)] = text;
  }
  return files;
}

}  // namespace paretofl
