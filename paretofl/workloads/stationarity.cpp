#include "paretofl/workloads/stationarity.h"

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

void add_stationarity(std::span<const float> exact_jacobian, std::size_t objectives, Evaluation& evaluation) {
  const Gramian gramian = gramian_of_rows(exact_jacobian, objectives);
  evaluation.gramian.assign(gramian.values().begin(), gramian.values().end());
  const std::vector<double> lambda = make_solver({"min_norm", {}})->solve({.gramian = gramian}).objective_weights;
  double& stationarity = evaluation.overall["stationarity"];
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t l = 0; l < objectives; ++l) stationarity += lambda[k] * lambda[l] * gramian(k, l);
  }
}

}  // namespace paretofl
