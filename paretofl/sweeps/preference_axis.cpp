#include "paretofl/sweeps/preference_axis.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxPreferences = 100000;

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  expect(count >= 1 && count <= kMaxPreferences, "--preferences: expected 1 to {} of them, found {}", kMaxPreferences, count);
  return count;
}

std::string preference_key(const std::string& strategy) {
  OptionLister lister;
  strategies().entry(strategy).describe(lister);
  for (const char* key : {"preference", "objective_weights"}) {
    for (const OptionDoc& doc : lister.docs()) {
      if (doc.key == key) return fmt::format("strategy.{}", key);
    }
  }
  throw Error(fmt::format("--preferences: expected a strategy with the option preference or objective_weights, found {}, which has neither",
                          strategy));
}

/// Six digits tell preferences apart and stay readable; whoever takes one scales it to sum to one.
std::string vector_text(std::span<const double> values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.6g}", value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::vector<std::string> drawn(const std::string& distribution, std::size_t count, bool inner, const RunConfig& config) {
  const auto source = make_preference_distribution({distribution, {}});
  const std::size_t objectives = make_workload(config)->num_objectives();
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    Random random({.seed = 1, .round = 0, .client = static_cast<std::uint32_t>(i)}, "sweep_preference");
    const Preference preference = source->draw({.objectives = objectives, .client = i, .clients = count}, random);
    std::vector<double> weights(preference.weights().begin(), preference.weights().end());
    const auto n = static_cast<double>(count);
    for (double& weight : weights) {
      if (inner) weight = (1 - 1 / n) * weight + 1 / (n * static_cast<double>(objectives));
    }
    values.push_back(vector_text(weights));
  }
  return values;
}

std::vector<std::string> rows_of(const std::filesystem::path& file) {
  const PointSet points = read_points(file);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < points.size(); ++i) values.push_back(vector_text(points[i]));
  return values;
}

std::vector<std::string> values_of(std::string_view wanted, const RunConfig& config) {
  if (const auto count = parse_count(wanted)) return drawn("lattice", *count, true, config);
  if (wanted.starts_with('[')) return split_values(wanted, "--preferences");
  const std::size_t colon = wanted.find(':');
  if (colon != std::string_view::npos) {
    if (const auto count = parse_count(wanted.substr(colon + 1))) return drawn(std::string(wanted.substr(0, colon)), *count, false, config);
  }
  expect(std::filesystem::exists(wanted), "--preferences: expected a number, NAME:N, a CSV file or a list such as [1,2],[2,1]; found '{}'",
         wanted);
  return rows_of(wanted);
}

/// Refuses before the first run what every run would refuse. Strategies of plugins and of Python may use a preference in other ways.
void expect_use(const std::string& key, const std::string& strategy, const Settings& resolved) {
  const Settings& options = resolved.tables.at("strategy");
  const auto solver = options.tables.find("solver");
  if (key != "strategy.preference" || solver == options.tables.end() || !strategies().entry(strategy).origin.empty()) return;
  Component component{std::get<std::string>(solver->second.values.at("name")), solver->second};
  component.settings.values.erase("name");
  expect(make_solver(component)->reads_preference(),
         "--preferences: expected a strategy.solver that uses a preference, found {} in the strategy {}, which uses none", component.name,
         strategy);
}

/// Refuses a vector that is no preference over the config's objectives.
void expect_preferences(const Axis& axis, const RunConfig& config) {
  if (!strategies().entry(config.strategy.name).origin.empty()) return;
  const std::size_t objectives = make_workload(config)->num_objectives();
  for (const std::string& value : axis.values) {
    try {
      const Settings::Value read = parse_value(value, "--preferences");
      const auto* values = std::get_if<std::vector<double>>(&read);
      expect(values != nullptr, "expected numbers");
      Preference(*values, objectives);
    } catch (const Error& error) {
      throw Error(fmt::format("--preferences: expected a preference over {} objectives, found {}: {}", objectives, value, error.what()));
    }
  }
}

}  // namespace

Axis preference_axis(std::string_view wanted, const Settings& settings) {
  const ResolvedConfig read = resolve_config(settings);
  const RunConfig& config = read.config;
  const std::string key = preference_key(config.strategy.name);
  expect_use(key, config.strategy.name, read.resolved);
  Axis axis{key, values_of(wanted, config)};
  for (auto value = axis.values.begin(); value != axis.values.end(); ++value) {
    expect(std::find(axis.values.begin(), value, *value) == value, "--preferences: expected different preferences, found {} twice", *value);
  }
  expect_preferences(axis, config);
  return axis;
}

}  // namespace paretofl
