#include "paretofl/privacy/summed_values.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kMostNumbers = 1099511627776;  // 2^40

void expect_count(const std::string& what, std::size_t expected, std::size_t found) {
  expect(found == expected, "sum over the cohort: expected {} numbers for {}, found {}", expected, what, found);
}

template <class Values>
void add(std::vector<double>& all, const Values& values, double weight) {
  for (const auto value : values) all.push_back(weight * static_cast<double>(value));
}

std::size_t count_of(const Record& record, const std::string& name) {
  const double count = record.scalar(name);
  expect(count >= 0 && count <= kMostNumbers && count == std::floor(count), "sum over the cohort: expected a count for {}, found {}", name,
         count);
  return static_cast<std::size_t>(count);
}

}  // namespace

std::vector<double> summed_values(const Reply& reply, const SumSpec& spec) {
  const double weight = spec.by_samples ? reply.num_samples : 1;
  expect(std::isfinite(weight) && weight > 0, "sum over the cohort: expected a positive sample count, found {}", weight);
  expect_count("the update", spec.update, reply.update.size());
  const bool left_out = spec.losses == 0 && !spec.loss_use.needed;
  if (!left_out) expect_count("losses", spec.losses, reply.losses.size());
  std::vector<double> values{weight};
  values.reserve(1 + spec.size());
  add(values, reply.update, weight);
  if (!left_out) add(values, reply.losses, weight);
  for (const auto& [name, count] : spec.figures) {
    const Array& array = reply.extra.array(name);
    expect_count(name, count, array.size());
    if (array.type() == Array::Type::kFloat32) {
      add(values, array.floats(), weight);
    } else {
      add(values, array.doubles(), weight);
    }
  }
  return values;
}

CohortMean mean_of_sums(std::span<const double> sums, const SumSpec& spec, Cohort cohort) {
  expect_count("the sums", 1 + spec.size(), sums.size());
  CohortMean mean{.cohort = std::move(cohort), .weight = sums[0], .update = {}, .losses = {}, .figures = {}};
  expect(mean.weight > 0, "sum over the cohort: expected clients that count, found a weight of {}", mean.weight);
  std::size_t at = 1;
  mean.update.reserve(spec.update);
  for (std::size_t i = 0; i < spec.update; ++i) mean.update.push_back(static_cast<float>(sums[at++] / mean.weight));
  for (std::size_t k = 0; k < spec.losses; ++k) mean.losses.push_back(sums[at++] / mean.weight);
  for (const auto& [name, count] : spec.figures) {
    std::vector<double>& figure = mean.figures[name];
    for (std::size_t i = 0; i < count; ++i) figure.push_back(sums[at++] / mean.weight);
  }
  return mean;
}

Record save(const SumSpec& spec) {
  Record record;
  record.scalars = {{"by_samples", spec.by_samples ? 1.0 : 0.0},         {"update", static_cast<double>(spec.update)},
                    {"losses", static_cast<double>(spec.losses)},        {"parts", static_cast<double>(spec.parts)},
                    {"losses_needed", spec.loss_use.needed ? 1.0 : 0.0}, {"figures_for_record", spec.figures_for_record ? 1.0 : 0.0}};
  Record& figures = record.records["figures"];
  for (const auto& [name, count] : spec.figures) figures.scalars.emplace(name, static_cast<double>(count));
  return record;
}

SumSpec load_sum_spec(const Record& record) {
  SumSpec spec{.by_samples = record.scalar("by_samples") != 0,
               .update = count_of(record, "update"),
               .losses = count_of(record, "losses"),
               .parts = count_of(record, "parts"),
               .loss_use = {.needed = record.scalar("losses_needed") != 0},
               .figures_for_record = record.scalar("figures_for_record") != 0};
  const Record& figures = record.record("figures");
  for (const auto& [name, count] : figures.scalars) spec.figures.emplace(name, count_of(figures, name));
  return spec;
}

}  // namespace paretofl
