#include "paretofl/parties/problem.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/sha256.h"
#include "paretofl/files/input_file.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::int64_t kFormat = 1;
constexpr std::uint64_t kMostProblemBytes = std::uint64_t{1} << 28;

json slice_json(const Slice& slice) {
  json result{{"name", slice.name}, {"shape", slice.shape}};
  if (slice.head != Slice::kShared) result["head"] = slice.head;
  return result;
}

Slice read_slice(const JsonObject& object) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  Slice slice;
  slice.name = object.text("name");
  for (const json& extent : object.list("shape")) {
    expect(extent.is_number_unsigned() && extent.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMost),
           "{}: shape: expected whole numbers from 0 to {}, found {}", object.where(), kMost, printable(extent.dump()));
    slice.shape.push_back(extent.get<std::int64_t>());
  }
  if (object.has("head")) slice.head = static_cast<int>(object.integer("head", 0, kMost));
  return slice;
}

/// A fact as a text; numbers that are equal are the same, whatever digits they were written with.
std::string fact_text(const json& fact) {
  constexpr double kExact = 9007199254740992;  // 2^53
  const double number = fact.is_number() ? fact.get<double>() : kExact;
  return (std::abs(number) < kExact ? json(number) : fact).dump();
}

}  // namespace

Texts problem_texts(const Problem& problem) {
  Texts texts = problem.settings;
  texts["clients"] = fmt::format("{}", problem.clients);
  texts["initial_parameters_sha256"] = problem.initial_parameters;
  texts["layout.slices"] = fmt::format("{}", problem.layout.size());
  for (std::size_t i = 0; i < problem.layout.size(); ++i) texts[fmt::format("layout[{}]", i)] = slice_json(problem.layout[i]).dump();
  texts["objectives"] = json(problem.objectives).dump();
  texts["workload.name"] = problem.workload;
  const json facts = problem.facts.flatten();
  for (const auto& [pointer, fact] : facts.items()) texts["facts" + pointer] = fact_text(fact);
  return texts;
}

std::string problem_text(const Problem& problem) {
  json layout = json::array();
  for (const Slice& slice : problem.layout) layout.push_back(slice_json(slice));
  return json_text(ordered_json{{"format", kFormat},
                                {"workload", problem.workload},
                                {"clients", problem.clients},
                                {"objectives", problem.objectives},
                                {"settings", problem.settings},
                                {"facts", problem.facts},
                                {"layout", layout},
                                {"initial_parameters_sha256", problem.initial_parameters}},
                   1) +
         "\n";
}

Problem parse_problem(std::string_view text, const std::string& name) {
  const json document = parse_json(text, name);
  const JsonObject object(document, name);
  object.integer("format", kFormat, kFormat);
  Problem problem;
  problem.workload = object.text("workload");
  problem.clients = static_cast<int>(object.integer("clients", 1, std::numeric_limits<int>::max()));
  problem.objectives = object.texts("objectives");
  expect(!problem.objectives.empty(), "{}: objectives: expected at least one, found none", name);
  const JsonObject settings = object.object("settings");
  for (const auto& [key, value] : settings.value().items()) problem.settings[key] = settings.text(key);
  problem.facts = object.object("facts").value();
  for (const JsonObject& slice : object.objects("layout")) problem.layout.push_back(read_slice(slice));
  problem.initial_parameters = object.text("initial_parameters_sha256");
  return problem;
}

Problem read_problem(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Problem::kFile;
  return parse_problem(read_file(file, kMostProblemBytes), file.string());
}

std::string problem_fingerprint(const std::filesystem::path& folder) {
  const std::string text = read_file(folder / Problem::kFile, kMostProblemBytes);
  return sha256_hex(std::as_bytes(std::span(text)));
}

void expect_same_problem(const Problem& expected, const Problem& found, const std::string& name) {
  const auto difference = first_difference(problem_texts(expected), problem_texts(found));
  if (!difference) return;
  constexpr std::size_t kShown = 200;
  throw Error(fmt::format("{}: {}: expected {}, found {}", name, printable(difference->name),
                          printable(difference->first.substr(0, kShown)), printable(difference->second.substr(0, kShown))));
}

}  // namespace paretofl
