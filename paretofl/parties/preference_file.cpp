#include "paretofl/parties/preference_file.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/parties/number_file.h"

namespace paretofl {
namespace {

constexpr const char* kName = "preference";

}  // namespace

void write_preference(const Preference& preference, const std::filesystem::path& file) {
  const auto weights = preference.weights();
  const NumberArray array{.name = kName, .shape = {weights.size()}, .values = {weights.begin(), weights.end()}};
  write_numbers(file, {&array, 1});
}

Preference parse_preference(std::string_view text, const std::string& file, std::size_t objectives) {
  const NumberArray shape{.name = kName, .shape = {objectives}, .values = {}};
  const std::vector<double> weights = parse_numbers(text, file, {&shape, 1}).front();
  try {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    return std::abs(sum - 1) <= 1e-9 ? Preference::of_shares(weights, objectives) : Preference(weights, objectives);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

Preference read_preference(const std::filesystem::path& file, std::size_t objectives) {
  return parse_preference(read_file(file), file.string(), objectives);
}

}  // namespace paretofl
