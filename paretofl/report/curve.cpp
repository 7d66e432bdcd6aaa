#include "paretofl/report/curve.h"

#include <algorithm>
#include <cmath>

namespace paretofl {
namespace {

/// A run's values of one quantity by round, and what it had uploaded by then.
struct Point {
  std::vector<double> values;
  double bytes_up;
};
using Points = std::map<int, Point>;

std::map<std::string, std::vector<double>> quantities(const RunData& run, const RecordedRound& row) {
  std::map<std::string, std::vector<double>> found;
  for (const auto& [name, values] : row.measured) {
    found[name] = values;
    if (values.size() > 1 && run.shares_unit(name.substr(name.find('/') + 1))) found[name].push_back(mean_over_objectives(values));
  }
  if (!row.lambda.empty()) found["lambda"] = row.lambda;
  for (const auto& [name, values] : row.metrics) {
    if (name != "cohort" && !name.starts_with("client_")) found["metrics/" + name] = values;  // those by client: training_data.h
  }
  return found;
}

std::map<std::string, Points> points_of(const RunData& run) {
  std::map<std::string, Points> found;
  double bytes_up = 0;
  for (const RecordedRound& row : run.rows) {
    bytes_up += row.bytes_up;
    for (auto& [name, values] : quantities(run, row)) found[name][row.round] = {std::move(values), bytes_up};
  }
  return found;
}

std::vector<std::string> series_names(const std::string& quantity, std::size_t size, const std::vector<std::string>& objectives) {
  std::vector<std::string> names;
  if (quantity.starts_with("metrics/")) {
    for (std::size_t i = 0; i < size; ++i) names.emplace_back(size == 1 ? "" : std::to_string(i));
  } else {
    names = objectives;
    if (size > names.size()) names.emplace_back("mean");
  }
  return names;
}

/// The rounds where every run has `size` values, evenly thinned; the last one stays.
std::vector<int> shared_rounds(const std::vector<Points>& runs, std::size_t size) {
  std::vector<int> shared;
  for (const auto& [round, point] : runs.front()) {
    const bool in_all = std::all_of(runs.begin(), runs.end(), [round = round, size](const Points& points) {
      const auto found = points.find(round);
      return found != points.end() && found->second.values.size() == size;
    });
    if (in_all) shared.push_back(round);
  }
  const std::size_t points = std::clamp<std::size_t>(kMaxCurveNumbers / size, 50, kMaxCurvePoints);
  if (shared.size() <= points) return shared;
  std::vector<int> thinned;
  for (std::size_t i = 0; i < points; ++i) thinned.push_back(shared[i * (shared.size() - 1) / (points - 1)]);
  return thinned;
}

Curve curve(const std::string& quantity, const std::vector<Points>& runs, const std::vector<std::string>& objectives) {
  const std::size_t size = runs.front().begin()->second.values.size();
  Curve result;
  result.series = series_names(quantity, size, objectives);
  result.rounds = shared_rounds(runs, size);
  result.mean.resize(size);
  result.low.resize(size);
  result.high.resize(size);
  const auto count = static_cast<double>(runs.size());
  for (const int round : result.rounds) {
    double bytes_up = 0;
    for (const Points& points : runs) bytes_up += points.at(round).bytes_up / count;
    result.bytes_up.push_back(bytes_up);
    for (std::size_t k = 0; k < size; ++k) {
      std::vector<double> values;
      for (const Points& points : runs) values.push_back(points.at(round).values[k]);
      const bool known = std::none_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
      result.mean[k].push_back(known ? estimate(values).mean : NAN);
      result.low[k].push_back(known ? *std::min_element(values.begin(), values.end()) : NAN);
      result.high[k].push_back(known ? *std::max_element(values.begin(), values.end()) : NAN);
    }
  }
  return result;
}

}  // namespace

std::map<std::string, Curve> curves(const RunGroup& group, const std::vector<std::string>& objectives) {
  std::map<std::string, std::vector<Points>> by_quantity;
  for (const RunData* run : group.runs) {
    for (auto& [name, points] : points_of(*run)) by_quantity[name].push_back(std::move(points));
  }
  std::map<std::string, Curve> found;
  for (const auto& [name, runs] : by_quantity) {
    const std::size_t size = runs.front().begin()->second.values.size();
    if (name.starts_with("metrics/") && size > std::max(kMaxCurveSeries, objectives.size())) continue;
    found[name] = curve(name, runs, objectives);
  }
  return found;
}

}  // namespace paretofl
