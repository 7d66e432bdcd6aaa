#include "paretofl/report/run_data.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "paretofl/core/ascii.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"
#include "paretofl/objectives/shared_unit.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/problem_split.h"

namespace paretofl {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

void read_config(const fs::path& file, RunData& run) {
  expect(fs::exists(file), "{}: expected a run's config, found none", file.string());
  run.config = load_config(file);
  run.keys = flat_texts(run.config);
  for (const auto& [key, value] : {std::pair("strategy.name", &run.strategy), {"workload.name", &run.workload}, {"seed", &run.seed}}) {
    const auto found = run.keys.find(key);
    expect(found != run.keys.end(), "{}: expected the key {}, found none", file.string(), key);
    *value = found->second;
  }
}

/// A parsed line of metrics.jsonl and where it stands.
struct Line {
  OrderedJson json;
  std::string where;
};

std::vector<Line> lines(const fs::path& file, bool may_be_torn, bool& torn) {
  const std::string text = read_file(file);
  std::vector<Line> found;
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos && may_be_torn) {
      torn = true;
      break;
    }
    const std::string where = fmt::format("{}:{}", file.string(), number);
    found.push_back({parse_ordered_json(std::string_view(text).substr(begin, end - begin), where), where});
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return found;
}

/// The objectives' names in the order the rows have them, for a run without its summary.
std::vector<std::string> objectives_of(const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    for (const char* split : {"train", "test", "validation"}) {
      if (!line.json.is_object() || !line.json.contains(split) || !line.json.at(split).is_object()) continue;
      for (const OrderedJson& metric : line.json.at(split)) {
        std::vector<std::string> names;
        if (metric.is_object()) {
          for (const auto& [name, value] : metric.items()) names.push_back(name);
        }
        if (!names.empty()) return names;
      }
    }
  }
  return {};
}

void read_summary(const fs::path& file, RunData& run) {
  const std::string where = file.string();
  const OrderedJson json = parse_ordered_json(read_file(file), where);
  expect(json.is_object(), "{}: expected an object, found {}", where, json.type_name());
  expect(json.contains("objectives") && json.at("objectives").is_array(), "{}: expected a list at objectives, found none", where);
  for (const OrderedJson& name : json.at("objectives")) {
    expect(name.is_string(), "{}: expected texts at objectives, found {}", where, name.type_name());
    run.objectives.push_back(name.get<std::string>());
  }
  const std::string failure = json.contains("failure") ? text_at(json, "failure", where) : "";
  if (json.contains("test") && failure.empty()) run.test = parse_metrics(json.at("test"), run.objectives, where);
  if (json.contains("overall") && failure.empty()) {
    expect(json.at("overall").is_object(), "{}: expected an object at overall, found {}", where, json.at("overall").type_name());
    for (const auto& entry : json.at("overall").items()) run.overall[entry.key()] = number_at(json.at("overall"), entry.key(), where);
  }
  if (const auto found = json.find("seed_changes_problem"); found != json.end()) {
    expect(found->is_boolean(), "{}: expected true or false at seed_changes_problem, found {}", where, found->type_name());
    run.seed_changes_problem = found->get<bool>();
  }
  if (const auto found = json.find("unlike_units"); found != json.end()) {
    const bool texts =
        found->is_array() && std::all_of(found->begin(), found->end(), [](const OrderedJson& name) { return name.is_string(); });
    expect(texts, "{}: expected a list of texts at unlike_units, found {}", where, found->type_name());
    run.unlike_units = found->get<std::set<std::string>>();
  }
  run.bytes_up = number_at(json, "bytes_up", where);
  run.bytes_down = number_at(json, "bytes_down", where);
  run.summary = RunSummary{.parameters_sha256 = text_at(json, "parameters_sha256", where),
                           .wall_seconds = number_at(json, "wall_seconds", where),
                           .cpu_seconds = number_at(json, "cpu_seconds", where),
                           .peak_rss_bytes = number_at(json, "peak_rss_bytes", where),
                           .failure = failure};
}

/// What the rows tell of a run that has no summary.
void sum_rows(RunData& run) {
  for (const RecordedRound& row : run.rows) {
    run.bytes_up += row.bytes_up;
    run.bytes_down += row.bytes_down;
    for (const auto& [name, values] : row.measured) {
      if (name.starts_with("test/")) run.test[name.substr(5)] = values;
    }
  }
}

fs::path normal(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// The decimal number that begins at `at`, such as 10 or 0.125; empty where none does.
std::string decimal_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end > at && end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    for (++end; end < text.size() && is_digit(text[end]);) ++end;
  }
  return text.substr(at, end - at);
}

/// Whether one name comes before the other, numbers in them by their value: seed=2 before seed=10.
bool natural_order(const fs::path& a, const fs::path& b) {
  const std::string x = a.filename().string(), y = b.filename().string();
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    const std::string in_x = decimal_at(x, i), in_y = decimal_at(y, j);
    if (in_x.empty() || in_y.empty()) {
      if (x[i] != y[j]) return x[i] < y[j];
      ++i, ++j;
      continue;
    }
    const double value_x = std::strtod(in_x.c_str(), nullptr), value_y = std::strtod(in_y.c_str(), nullptr);
    if (value_x != value_y) return value_x < value_y;
    if (in_x != in_y) return in_x < in_y;
    i += in_x.size(), j += in_y.size();
  }
  return x.size() - i < y.size() - j;
}

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "metrics.jsonl") || (fs::exists(folder / "config.toml") && !is_split(folder));
}

}  // namespace

double RunData::late() const {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const RecordedRound& row) { return sum + row.late; });
}

double RunData::simulated_seconds() const {
  return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const RecordedRound& row) { return sum + row.simulated_seconds; });
}

bool RunData::shares_unit(const std::string& metric) const {
  return unlike_units ? !unlike_units->contains(metric) : has_shared_unit(metric);
}

RunData load_run(const fs::path& folder) {
  expect(fs::is_directory(folder), "{}: expected a run directory, found none", folder.string());
  RunData run;
  run.folder = folder;
  run.name = normal(folder).filename().string();
  read_config(folder / "config.toml", run);
  if (fs::exists(folder / "summary.json")) read_summary(folder / "summary.json", run);

  // A run that failed before its first round has no rows yet.
  const fs::path metrics = folder / "metrics.jsonl";
  const std::vector<Line> rows = run.summary || fs::exists(metrics) ? lines(metrics, !run.summary, run.torn) : std::vector<Line>();
  if (!run.summary) run.objectives = objectives_of(rows);
  for (const auto& [json, where] : rows) {
    run.rows.push_back(parse_recorded_round(json, run.objectives, where));
    const int before = run.rows.size() > 1 ? run.rows[run.rows.size() - 2].round : -1;
    expect(run.rows.back().round > before, "{}: expected a round after {}, found {}", where, before, run.rows.back().round);
  }
  if (!run.summary) sum_rows(run);
  if (run.summary && !run.summary->failure.empty()) {
    for (RecordedRound& row : run.rows) {  // whose last ones would be taken for those of a finished run
      row.front.clear();
      row.clients.clear();
    }
  }
  run.completions = read_example_completions(folder);
  return run;
}

std::vector<RunData> load_runs(const std::vector<fs::path>& folders) {
  std::vector<RunData> runs;
  std::set<fs::path> loaded;
  for (const fs::path& folder : folders) {
    expect(fs::is_directory(folder), "{}: expected a run directory, found none", folder.string());
    std::vector<fs::path> found;
    if (!is_run(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory() && is_run(entry.path())) found.push_back(entry.path());
      }
      expect(!found.empty(), "{}: expected a run directory, or a folder of them, found neither", folder.string());
      std::sort(found.begin(), found.end(), natural_order);
    } else {
      found.push_back(folder);
    }
    for (const fs::path& run : found) {
      if (loaded.insert(fs::canonical(run)).second) runs.push_back(load_run(run));
    }
  }
  return runs;
}

}  // namespace paretofl
