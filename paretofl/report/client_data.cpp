#include "paretofl/report/client_data.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "paretofl/report/rounded.h"

namespace paretofl {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kRoundsOfClusters = 200;
constexpr std::size_t kRoundsOfCurves = 100;
constexpr std::size_t kSimilarities = 5;
constexpr int kDigits = 4;

Json rounded_all(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value, kDigits));
  return list;
}

/// At most `most` of the rows, evenly spaced; the first and the last stay.
std::vector<const RecordedRound*> thinned(const std::vector<const RecordedRound*>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<const RecordedRound*> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(rows[i * (rows.size() - 1) / (most - 1)]);
  return kept;
}

std::vector<const RecordedRound*> rows_with_metric(const RunData& run, const std::string& name) {
  std::vector<const RecordedRound*> rows;
  for (const RecordedRound& row : run.rows) {
    if (row.metrics.contains(name)) rows.push_back(&row);
  }
  return rows;
}

Json rounds_of(const std::vector<const RecordedRound*>& rows) {
  Json rounds = Json::array();
  for (const RecordedRound* row : rows) rounds.push_back(row->round);
  return rounds;
}

/// The smallest member of each client's cluster.
Json first_members(const std::vector<double>& clusters) {
  std::map<double, std::size_t> first;
  Json members = Json::array();
  for (std::size_t i = 0; i < clusters.size(); ++i) members.push_back(first.emplace(clusters[i], i).first->second);
  return members;
}

Json cluster_data(const RunData& run) {
  const auto rows = thinned(rows_with_metric(run, "clusters"), kRoundsOfClusters);
  Json first = Json::array();
  for (const RecordedRound* row : rows) first.push_back(first_members(row->metrics.at("clusters")));
  return {{"rounds", rounds_of(rows)}, {"first", std::move(first)}};
}

Json similarity_data(const RunData& run) {
  Json list = Json::array();
  for (const RecordedRound* row : thinned(rows_with_metric(run, "similarity"), kSimilarities)) {
    list.push_back({{"round", row->round}, {"values", rounded_all(row->metrics.at("similarity"))}});
  }
  return list;
}

/// The figure under each client's own preference: the first whose name says so.
Json scalarized_data(const std::vector<const RecordedRound*>& evaluated) {
  for (const auto& [metric, clients] : evaluated.back()->clients) {
    if (!metric.starts_with("scalarized")) continue;
    std::vector<const RecordedRound*> rows;
    for (const RecordedRound* row : evaluated) {
      const auto found = row->clients.find(metric);
      if (found != row->clients.end() && found->second.size() == clients.size()) rows.push_back(row);
    }
    rows = thinned(rows, kRoundsOfCurves);
    Json values = Json::array();
    for (std::size_t i = 0; i < clients.size(); ++i) {
      Json curve = Json::array();
      for (const RecordedRound* row : rows) curve.push_back(rounded(row->clients.at(metric)[i].at(0), kDigits));
      values.push_back(std::move(curve));
    }
    return {{"metric", metric}, {"rounds", rounds_of(rows)}, {"values", std::move(values)}};
  }
  return nullptr;
}

}  // namespace

Json client_data(const RunData& run) {
  std::vector<const RecordedRound*> evaluated;
  for (const RecordedRound& row : run.rows) {
    if (!row.clients.empty()) evaluated.push_back(&row);
  }
  if (evaluated.empty()) return nullptr;
  Json data = {{"final", Json::object()}};
  for (const auto& [metric, clients] : evaluated.back()->clients) {
    if (clients.front().size() != run.objectives.size() || metric.starts_with("scalarized")) continue;
    for (const std::vector<double>& figures : clients) data["final"][metric].push_back(rounded_all(figures));
  }
  if (Json scalarized = scalarized_data(evaluated); !scalarized.is_null()) data["scalarized"] = std::move(scalarized);
  const std::size_t clients = evaluated.back()->clients.begin()->second.size();
  if (!rows_with_metric(run, "clusters").empty()) data["clusters"] = cluster_data(run);
  if (clients <= kMaxShownClients && !rows_with_metric(run, "similarity").empty()) data["similarity"] = similarity_data(run);
  return data;
}

}  // namespace paretofl
