#include "paretofl/workloads/held_out_figures.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "paretofl/core/error.h"

namespace paretofl {

void HeldOutFigures::add_means(const std::string& metric, const std::vector<double>& figure, double samples) {
  Sums& sums = metrics[metric];
  for (const double mean : figure) sums.values.push_back(mean * samples);
  sums.samples.assign(figure.size(), samples);
}

HeldOutFigures& HeldOutFigures::operator+=(const HeldOutFigures& other) {
  for (const auto& [metric, more] : other.metrics) {
    Sums& sums =
        metrics.try_emplace(metric, Sums{std::vector<double>(more.values.size()), std::vector<double>(more.values.size())}).first->second;
    expect(sums.values.size() == more.values.size(), "held-out figures: expected {} of {} objectives, found {}", metric, sums.values.size(),
           more.values.size());
    for (std::size_t k = 0; k < sums.values.size(); ++k) {
      sums.values[k] += more.values[k];
      sums.samples[k] += more.samples[k];
    }
  }
  return *this;
}

std::map<std::string, std::vector<double>> HeldOutFigures::means() const {
  std::map<std::string, std::vector<double>> means;
  for (const auto& [metric, sums] : metrics) {
    for (std::size_t k = 0; k < sums.values.size(); ++k) means[metric].push_back(sums.values[k] / sums.samples[k]);
  }
  return means;
}

Record HeldOutFigures::save() const {
  Record record;
  for (const auto& [metric, sums] : metrics) {
    Record& own = record.records[metric];
    own.arrays.emplace("sums", Array(std::span<const double>(sums.values)));
    own.arrays.emplace("samples", Array(std::span<const double>(sums.samples)));
  }
  return record;
}

HeldOutFigures HeldOutFigures::load(const Record& record, std::size_t objectives) {
  HeldOutFigures figures;
  for (const auto& [metric, own] : record.records) {
    const auto values = double_array(own, "sums", objectives);
    const auto samples = double_array(own, "samples", objectives);
    const auto is_count = [](double x) { return std::isfinite(x) && x >= 0; };
    expect(std::all_of(samples.begin(), samples.end(), is_count), "held-out figures: expected numbers of samples, found others for {}",
           metric);
    figures.metrics.emplace(metric, Sums{{values.begin(), values.end()}, {samples.begin(), samples.end()}});
  }
  return figures;
}

}  // namespace paretofl
