#include "paretofl/report/training_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "paretofl/report/client_data.h"
#include "paretofl/report/rounded.h"

namespace paretofl {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kRounds = 200;
constexpr std::string_view kPrefix = "client_";

std::vector<const RecordedRound*> rows_with_cohorts(const RunData& run) {
  std::vector<const RecordedRound*> rows;
  for (const RecordedRound& row : run.rows) {
    if (row.metrics.contains("cohort")) rows.push_back(&row);
  }
  return rows;
}

/// The positions of at most kRounds of `count` rows, evenly spaced; the first and the last stay.
std::vector<std::size_t> thinned_positions(std::size_t count) {
  const std::size_t kept = std::min(count, kRounds);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < kept; ++i) positions.push_back(kept == count ? i : i * (count - 1) / (kept - 1));
  return positions;
}

/// One client's values of one series, NaN in rounds without it.
std::vector<double> values_of(const std::vector<const RecordedRound*>& rows, const std::string& metric, double client, std::size_t series,
                              std::size_t width) {
  std::vector<double> values;
  for (const RecordedRound* row : rows) {
    const std::vector<double>& cohort = row->metrics.at("cohort");
    const auto place = static_cast<std::size_t>(std::find(cohort.begin(), cohort.end(), client) - cohort.begin());
    const auto found = row->metrics.find(metric);
    const bool known = place < cohort.size() && found != row->metrics.end() && found->second.size() == cohort.size() * width;
    values.push_back(known ? found->second[place * width + series] : NAN);
  }
  return values;
}

std::vector<double> smoothed(std::vector<double> values) {
  const double keep = std::pow(0.5, 1 / kHalfLife);
  double sum = 0;
  double weight = 0;
  for (double& value : values) {
    if (std::isnan(value)) continue;
    sum = keep * sum + value;
    weight = keep * weight + 1;
    value = sum / weight;
  }
  return values;
}

Json picked(const std::vector<double>& values, const std::vector<std::size_t>& positions) {
  Json list = Json::array();
  for (const std::size_t position : positions) list.push_back(rounded(values[position], 4));
  return list;
}

}  // namespace

Json training_data(const RunData& run) {
  const std::vector<const RecordedRound*> rows = rows_with_cohorts(run);
  if (rows.empty()) return nullptr;
  const std::vector<std::size_t> positions = thinned_positions(rows.size());
  std::set<double> clients;
  for (const RecordedRound* row : rows) clients.insert(row->metrics.at("cohort").begin(), row->metrics.at("cohort").end());
  while (clients.size() > kMaxShownClients) clients.erase(std::prev(clients.end()));
  Json data = {{"rounds", Json::array()}, {"clients", clients}, {"figures", Json::object()}};
  for (const std::size_t position : positions) data["rounds"].push_back(rows[position]->round);
  for (const auto& [metric, values] : rows.front()->metrics) {
    const std::size_t count = rows.front()->metrics.at("cohort").size();
    if (!metric.starts_with(kPrefix) || count == 0 || values.empty() || values.size() % count != 0) continue;
    const std::size_t width = values.size() / count;
    Json& figure = data["figures"][metric.substr(kPrefix.size())];
    for (std::size_t k = 0; k < width; ++k) {
      figure["series"].push_back(width == run.objectives.size() ? run.objectives[k] : width == 1 ? "" : std::to_string(k));
      Json measured = Json::array();
      Json smooth = Json::array();
      for (const double client : clients) {
        const std::vector<double> own = values_of(rows, metric, client, k, width);
        measured.push_back(picked(own, positions));
        smooth.push_back(picked(smoothed(own), positions));
      }
      figure["measured"].push_back(std::move(measured));
      figure["smooth"].push_back(std::move(smooth));
    }
  }
  return data;
}

}  // namespace paretofl
