#include "paretofl/report/recorded_round.h"

#include <algorithm>
#include <limits>

namespace paretofl {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// The start of a JSON value, for an error that shows what was found.
std::string shown(const OrderedJson& json) {
  const std::string text = json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

double as_number(const OrderedJson& json, const std::string& name, const std::string& where) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  expect(json.is_number(), "{}: expected a number at {}, found {}", where, name, shown(json));
  return json.get<double>();
}

const OrderedJson& object(const OrderedJson& json, const std::string& name, const std::string& where) {
  expect(json.is_object(), "{}: expected an object at {}, found {}", where, name, shown(json));
  return json;
}

std::vector<double> as_numbers(const OrderedJson& json, const std::string& name, const std::string& where) {
  if (!json.is_array()) return {as_number(json, name, where)};
  std::vector<double> values;
  for (const OrderedJson& entry : json) values.push_back(as_number(entry, name, where));
  return values;
}

ObjectiveValues by_objective(const OrderedJson& json, const std::string& metric, const std::vector<std::string>& objectives,
                             const std::string& where) {
  ObjectiveValues values(objectives.size(), std::numeric_limits<double>::quiet_NaN());
  for (const auto& [objective, value] : object(json, metric, where).items()) {
    const auto found = std::find(objectives.begin(), objectives.end(), objective);
    expect(found != objectives.end(), "{}: expected one of the objectives {} at {}, found '{}'", where, fmt::join(objectives, ", "), metric,
           objective);
    values[static_cast<std::size_t>(found - objectives.begin())] = as_number(value, objective, where);
  }
  return values;
}

/// One row of numbers per model, all as long; `models` says whose they are.
std::vector<ObjectiveValues> by_model(const OrderedJson& json, const std::string& metric, const char* models, const std::string& where) {
  expect(json.is_array() && !json.empty(), "{}: expected a list of {} figures at {}, found {}", where, models, metric, shown(json));
  std::vector<ObjectiveValues> rows;
  for (const OrderedJson& entry : json) {
    rows.push_back(as_numbers(entry, metric, where));
    expect(rows.back().size() == rows.front().size() && !rows.back().empty(),
           "{}: expected as many figures in each of {} rows at {}, found {}", where, models, metric, shown(entry));
  }
  return rows;
}

std::vector<Failure> failures(const OrderedJson& json, const std::string& where) {
  expect(json.is_array(), "{}: expected a list at failures, found {}", where, shown(json));
  std::vector<Failure> found;
  for (const OrderedJson& entry : json) {
    object(entry, "failures", where);
    found.push_back({static_cast<int>(number_at(entry, "client", where)), text_at(entry, "verb", where), text_at(entry, "reason", where)});
  }
  return found;
}

}  // namespace

double number_at(const OrderedJson& json, const std::string& key, const std::string& where) {
  expect(json.contains(key), "{}: expected the key {}, found none", where, key);
  return as_number(json.at(key), key, where);
}

std::string text_at(const OrderedJson& json, const std::string& key, const std::string& where) {
  expect(json.contains(key), "{}: expected the key {}, found none", where, key);
  expect(json.at(key).is_string(), "{}: expected a text at {}, found {}", where, key, shown(json.at(key)));
  return json.at(key).get<std::string>();
}

std::map<std::string, ObjectiveValues> parse_metrics(const OrderedJson& json, const std::vector<std::string>& objectives,
                                                     const std::string& where) {
  std::map<std::string, ObjectiveValues> metrics;
  for (const auto& [metric, values] : object(json, "the metrics", where).items())
    metrics[metric] = by_objective(values, metric, objectives, where);
  return metrics;
}

RecordedRound parse_recorded_round(const OrderedJson& json, const std::vector<std::string>& objectives, const std::string& where) {
  RecordedRound row;
  const double round = number_at(object(json, "the line", where), "round", where);
  expect(round >= 0 && round <= std::numeric_limits<int>::max(), "{}: expected a round, found {}", where, round);
  row.round = static_cast<int>(round);
  for (const auto& [key, value] : json.items()) {
    if (key == "train" || key == "validation" || key == "test") {
      for (auto& [metric, values] : parse_metrics(value, objectives, where))
        row.measured[fmt::format("{}/{}", key, metric)] = std::move(values);
    } else if (key == "lambda") {
      row.lambda = as_numbers(value, key, where);
      expect(row.lambda.size() == objectives.size(), "{}: expected {} numbers at lambda, found {}", where, objectives.size(),
             row.lambda.size());
    } else if (key == "metrics" || key == "overall") {
      for (const auto& [name, entry] : object(value, key, where).items()) row.metrics[name] = as_numbers(entry, name, where);
    } else if (key == "clients") {
      for (const auto& [metric, entry] : object(value, key, where).items())
        row.clients[metric] = by_model(entry, metric, "the clients'", where);
    } else if (key == "front") {
      for (const auto& [metric, entry] : object(value, key, where).items())
        row.front[metric] = by_model(entry, metric, "the front's", where);
    } else if (key == "seconds") {
      for (const auto& [phase, entry] : object(value, key, where).items()) row.seconds[phase] = as_number(entry, phase, where);
    } else if (key == "failures") {
      row.failures = failures(value, where);
    }
  }
  if (json.contains("bytes_up")) row.bytes_up = number_at(json, "bytes_up", where);
  if (json.contains("bytes_down")) row.bytes_down = number_at(json, "bytes_down", where);
  if (json.contains("simulated_seconds")) row.simulated_seconds = number_at(json, "simulated_seconds", where);
  if (json.contains("late")) row.late = number_at(json, "late", where);
  if (json.contains("abandoned")) row.abandoned = text_at(json, "abandoned", where);
  return row;
}

}  // namespace paretofl
