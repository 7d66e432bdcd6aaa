#include "tests/optimization/random_gramian.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

struct Rows {
  std::size_t objectives;
  std::size_t columns;
  std::vector<double> values;

  double& operator()(std::size_t i, std::size_t k) { return values[i * columns + k]; }
};

void duplicate(Rows& rows, Random& random, double low_exponent, double high_exponent) {
  for (std::size_t i = 1; i < rows.objectives; ++i) {
    if (random.below(3) != 0) continue;
    const std::size_t source = random.below(i);
    const double noise = std::pow(10, random.uniform(low_exponent, high_exponent));
    const double factor = random.below(2) == 0 ? 1 : random.uniform(0.1, 10);
    for (std::size_t k = 0; k < rows.columns; ++k) {
      rows(i, k) = factor * (rows(source, k) + (low_exponent < -20 ? 0 : noise * random.normal()));
    }
  }
}

void sum_to_zero(Rows& rows) {
  for (std::size_t k = 0; k < rows.columns; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < rows.objectives; ++i) sum += static_cast<double>(1 + i % 3) * rows(i, k);
    rows(rows.objectives - 1, k) = -sum;
  }
}

void lower_rank(Rows& rows, Random& random) {
  const std::size_t rank = 1 + random.below(std::min(rows.columns, rows.objectives));
  const double noise = std::pow(10, random.uniform(-12, -3));
  for (std::size_t i = rank; i < rows.objectives; ++i) {
    for (std::size_t k = 0; k < rows.columns; ++k) rows(i, k) = noise * random.normal();
    for (std::size_t source = 0; source < rank; ++source) {
      const double factor = random.normal();
      for (std::size_t k = 0; k < rows.columns; ++k) rows(i, k) += factor * rows(source, k);
    }
  }
}

void rescale(Rows& rows, Random& random, std::uint64_t kind) {
  for (std::size_t i = 0; i < rows.objectives; ++i) {
    double factor = 1;
    if (kind == 1) factor = random.below(2) == 0 ? 1e12 : 1;
    if (kind == 2) factor = std::pow(10, random.uniform(-6, 6));
    if (kind == 3 && random.below(rows.objectives) == 0) factor = 0;
    for (std::size_t k = 0; k < rows.columns; ++k) rows(i, k) *= factor;
  }
}

}  // namespace

Gramian gramian_of(const std::vector<double>& rows, std::size_t objectives) {
  const std::size_t columns = rows.size() / objectives;
  Gramian gramian(objectives);
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < columns; ++k) sum += rows[i * columns + k] * rows[j * columns + k];
      gramian(i, j) = gramian(j, i) = sum;
    }
  }
  return gramian;
}

std::vector<double> normal_rows(std::uint64_t index, std::size_t objectives, std::size_t columns) {
  Random random({index, 0, 0}, "rows");
  std::vector<double> rows(objectives * columns);
  for (double& value : rows) value = random.normal();
  return rows;
}

RandomGramian random_gramian(std::uint64_t index) {
  constexpr std::array kKinds = {"independent", "duplicated", "nearly duplicated", "almost duplicated", "sum to zero", "low rank"};
  constexpr std::array kScales = {"one scale", "two scales 1e12 apart", "scales over 1e12", "some zero"};
  Random random({index, 0, 0}, "random_gramian");
  Rows rows{.objectives = 2 + random.below(63), .columns = 1, .values = {}};
  const std::array<std::size_t, 4> columns = {1 + random.below(rows.objectives), rows.objectives, rows.objectives + random.below(8),
                                              2 * rows.objectives};
  rows.columns = columns[random.below(4)];
  rows.values.resize(rows.objectives * rows.columns);
  const double shift = random.below(2) == 0 ? 0 : random.uniform(0, 2);
  std::vector<double> common(rows.columns);
  for (double& value : common) value = shift * random.normal();
  for (std::size_t i = 0; i < rows.objectives; ++i) {
    for (std::size_t k = 0; k < rows.columns; ++k) rows(i, k) = common[k] + random.normal();
  }

  const std::uint64_t kind = random.below(kKinds.size());
  if (kind == 1) duplicate(rows, random, -30, -29);
  if (kind == 2) duplicate(rows, random, -9, -4);
  if (kind == 3) duplicate(rows, random, -14, -9);
  if (kind == 4) sum_to_zero(rows);
  if (kind == 5) lower_rank(rows, random);
  const std::uint64_t scale = random.below(kScales.size());
  rescale(rows, random, scale);
  return {fmt::format("random Gramian {}: M {}, d {}, common direction {:.2f}, {}, {}", index, rows.objectives, rows.columns, shift,
                      kKinds[kind], kScales[scale]),
          gramian_of(rows.values, rows.objectives)};
}

}  // namespace paretofl
