#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/input_text.h"
#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/objectives/direction.h"
#include "paretofl/objectives/expected_utility.h"
#include "paretofl/objectives/hypervolume.h"
#include "paretofl/objectives/igd.h"
#include "paretofl/objectives/pareto_front.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/objectives/sparsity.h"

namespace paretofl {
namespace {

constexpr const char* kIndicatorsFooter =
    R"(Each row of FILE is a point: one number per objective, separated by commas; the first line may be
a header. Prints one JSON object:
  hypervolume  volume between the rows and the reference point (up to 6 objectives); null without one
  sparsity     over the distinct points of the Pareto front: squared gaps between neighbours, per gap
  igd          mean distance from the reference front's rows to the nearest row of FILE that is on
               its Pareto front; null without a reference front
  cardinality  number of distinct points on the Pareto front
  front        rows on the Pareto front, counted from 0 without the header, duplicates included
  expected_utility
               mean over the preferences of the best weighted sum of a row; null without preferences
  maximum_utility_loss
               the most that a preference loses with FILE's rows instead of the reference front's;
               null without both
In the last two a minimized objective counts negated. With --directions max,min higher is better in
the first objective and lower in the second.

Example: three returns of two objectives, against the reference point (0, -25):
  printf '1,-1\n8,-3\n7,-5\n' > returns.csv
  paretofl indicators returns.csv --reference 0,-25
prints
  {"hypervolume":178.0,"sparsity":53.0,"igd":null,"cardinality":2,"front":[0,1],"expected_utility":null,"maximum_utility_loss":null})";

struct IndicatorsArguments {
  std::string file;
  std::optional<std::string> reference;
  std::optional<std::string> reference_front;
  std::optional<std::string> preferences;
  bool minimize = false;
  std::vector<std::string> directions;  ///< empty: minimize for all
};

std::vector<Direction> directions_of(const IndicatorsArguments& arguments, std::size_t objectives) {
  std::vector<Direction> directions(objectives, arguments.minimize ? Direction::kMinimize : Direction::kMaximize);
  if (arguments.directions.empty()) return directions;
  expect(arguments.directions.size() == objectives, "--directions: expected {} words for the columns of {}, found {}", objectives,
         printable(arguments.file), arguments.directions.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    const std::string& word = arguments.directions[k];
    expect(word == "max" || word == "min", "--directions: expected max or min for each objective, found '{}'", printable(word));
    directions[k] = word == "min" ? Direction::kMinimize : Direction::kMaximize;
  }
  return directions;
}

PointSet read_point_input(const std::string& name) {
  return parse_points(read_input(name, "a CSV file of points"), name == "-" ? "standard input" : name);
}

/// A preference per row of a CSV file.
std::vector<Preference> read_preferences(const std::string& file, std::size_t objectives) {
  const PointSet rows = read_point_input(file);
  std::vector<Preference> preferences;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    try {
      preferences.emplace_back(std::vector<double>(rows[i].begin(), rows[i].end()), objectives);
    } catch (const Error& error) {
      throw Error(fmt::format("{}, row {}: {}", file, i + 1, error.what()));
    }
  }
  return preferences;
}

void print_indicators(const IndicatorsArguments& arguments) {
  const PointSet points = read_point_input(arguments.file);
  const std::vector<Direction> directions = directions_of(arguments, points.objectives());
  const PointSet front = points.rows(distinct_pareto_front(points, directions));

  nlohmann::ordered_json result;
  result["hypervolume"] = nullptr;
  if (arguments.reference) result["hypervolume"] = hypervolume(points, parse_point(*arguments.reference, "--reference"), directions);
  result["sparsity"] = sparsity(front);
  std::optional<PointSet> reference_front;
  if (arguments.reference_front) reference_front = read_point_input(*arguments.reference_front);
  result["igd"] = nullptr;
  if (reference_front) result["igd"] = inverted_generational_distance(front, *reference_front);
  result["cardinality"] = front.size();
  result["front"] = pareto_front(points, directions);
  result["expected_utility"] = nullptr;
  result["maximum_utility_loss"] = nullptr;
  if (arguments.preferences) {
    const std::vector<Preference> preferences = read_preferences(*arguments.preferences, points.objectives());
    result["expected_utility"] = expected_utility(points, preferences, directions);
    if (reference_front) result["maximum_utility_loss"] = maximum_utility_loss(points, *reference_front, preferences, directions);
  }
  write_output("{}\n", result.dump());
}

}  // namespace

void add_indicators(CLI::App& app) {
  auto* command = app.add_subcommand("indicators",
                                     "Compute hypervolume, sparsity, IGD, cardinality, utilities and the Pareto front of a set of points");
  auto arguments = std::make_shared<IndicatorsArguments>();
  command->add_option("FILE", arguments->file, "CSV file of points; - is standard input")->required()->type_name("");
  command
      ->add_option("--reference", arguments->reference,
                   "reference point r1,r2,.. of the hypervolume, to which a row that is worse in any objective adds nothing; without it "
                   "the hypervolume is null")
      ->type_name("POINT");
  command->add_option("--reference-front", arguments->reference_front, "CSV file of the reference front")->type_name("FILE");
  command
      ->add_option("--preferences", arguments->preferences,
                   "CSV file of preferences, one weight per objective, not negative; divided by their sum")
      ->type_name("FILE");
  auto* minimize = command->add_flag("--minimize", arguments->minimize, "lower is better in every objective (otherwise higher is)");
  command->add_option("--directions", arguments->directions, "max or min for each objective, such as max,min, where they differ")
      ->delimiter(',')
      ->excludes(minimize)
      ->type_name("LIST");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kIndicatorsFooter);
  command->callback([arguments] { print_indicators(*arguments); });
}

}  // namespace paretofl
