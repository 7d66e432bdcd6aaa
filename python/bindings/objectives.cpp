#include "paretofl/core/error.h"
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
  module.def("igd", [](const DoubleMatrix& points, const DoubleMatrix& front) {
    return inverted_generational_distance(points_of(points), points_of(front));
  });
  module.def("sparsity", [](const DoubleMatrix& points, const std::vector<bool>& minimize) {
    const PointSet all = points_of(points);
    return sparsity(all.rows(distinct_pareto_front(all, directions_of(minimize))));
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
