#include "paretofl/core/error.h"
#include "paretofl/objectives/expected_utility.h"
#include "paretofl/objectives/hypervolume.h"
#include "paretofl/objectives/igd.h"
#include "paretofl/objectives/pareto_front.h"
#include "paretofl/objectives/sparsity.h"
#include "paretofl/workloads/client_preferences.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

PointSet points_of(const DoubleMatrix& points) { return {points.shape(1), {points.data(), points.data() + points.size()}}; }

std::vector<Direction> directions_of(const std::vector<bool>& minimize) {
  std::vector<Direction> directions;
  for (const bool lower : minimize) directions.push_back(lower ? Direction::kMinimize : Direction::kMaximize);
  return directions;
}

/// The distinct points of a set's Pareto front.
PointSet front_of(const PointSet& points, const std::vector<Direction>& directions) {
  return points.rows(distinct_pareto_front(points, directions));
}

/// A preference per row.
std::vector<Preference> preferences_of(const DoubleMatrix& rows) {
  std::vector<Preference> preferences;
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    const double* row = rows.data() + i * rows.shape(1);
    preferences.emplace_back(std::vector<double>(row, row + rows.shape(1)), rows.shape(1));
  }
  return preferences;
}

/// The preferences [n, M] that the clients of a workload with this seed draw.
NumpyArray<double> draw_preferences(const std::string& name, const nb::dict& options, std::size_t objectives, int clients,
                                    std::uint64_t seed) {
  const ClientPreferences preferences({name, settings_of(options)}, objectives, clients, seed);
  std::vector<double> drawn;
  for (int client = 0; client < clients; ++client) {
    const std::span<const double> weights = preferences.of(client).weights();
    drawn.insert(drawn.end(), weights.begin(), weights.end());
  }
  return copied_to_numpy(std::span<const double>(drawn), {static_cast<std::size_t>(clients), objectives});
}

}  // namespace

void bind_objectives(nb::module_& module) {
  module.def("is_minimized", [](const std::string& metric) { return direction_of(metric) == Direction::kMinimize; });
  module.def("hypervolume", [](const DoubleMatrix& points, const Doubles& reference, const std::vector<bool>& minimize) {
    return hypervolume(points_of(points), span_of(reference), directions_of(minimize));
  });
  module.def("igd", [](const DoubleMatrix& points, const DoubleMatrix& reference_front, const std::vector<bool>& minimize) {
    return inverted_generational_distance(front_of(points_of(points), directions_of(minimize)), points_of(reference_front));
  });
  module.def("expected_utility", [](const DoubleMatrix& points, const DoubleMatrix& preferences, const std::vector<bool>& minimize) {
    return expected_utility(points_of(points), preferences_of(preferences), directions_of(minimize));
  });
  module.def("maximum_utility_loss", [](const DoubleMatrix& points, const DoubleMatrix& reference_set, const DoubleMatrix& preferences,
                                        const std::vector<bool>& minimize) {
    return maximum_utility_loss(points_of(points), points_of(reference_set), preferences_of(preferences), directions_of(minimize));
  });
  module.def("sparsity", [](const DoubleMatrix& points, const std::vector<bool>& minimize) {
    return sparsity(front_of(points_of(points), directions_of(minimize)));
  });
  module.def("cardinality", [](const DoubleMatrix& points, const std::vector<bool>& minimize) {
    return cardinality(points_of(points), directions_of(minimize));
  });
  module.def("pareto_front", [](const DoubleMatrix& points, const std::vector<bool>& minimize, bool distinct) {
    const std::vector<Direction> directions = directions_of(minimize);
    return distinct ? distinct_pareto_front(points_of(points), directions) : pareto_front(points_of(points), directions);
  });
  module.def("draw_preferences", &draw_preferences, "name"_a, "options"_a, "objectives"_a, "clients"_a, "seed"_a);
}

}  // namespace paretofl::python
