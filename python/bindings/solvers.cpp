#include "paretofl/solvers/weight_solver.h"

#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

nb::tuple solve(const std::string& name, const nb::dict& options, const DoubleMatrix& gramian, const Doubles& losses,
                const Doubles& preference, const Doubles& previous, std::int64_t step, const Doubles& previous_losses,
                const Doubles& two_sample_products) {
  const std::unique_ptr<WeightSolver> solver = make_solver({name, settings_of(options)});
  const Gramian checked(gramian.shape(0), {gramian.data(), gramian.data() + gramian.size()});
  const WeightSolution solution = solver->solve({.gramian = checked,
                                                 .losses = span_of(losses),
                                                 .previous = span_of(previous),
                                                 .previous_losses = span_of(previous_losses),
                                                 .two_sample_products = span_of(two_sample_products),
                                                 .preference = span_of(preference),
                                                 .step = step});
  return nb::make_tuple(copied_to_numpy(std::span<const double>(solution.objective_weights)), solution.kkt_residual, solution.iterations);
}

}  // namespace

void bind_solvers(nb::module_& module) {
  using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  module.def("gramian", [](const Rows& rows) {
    const Gramian products = gramian_of_rows({rows.data(), rows.size()}, rows.shape(0));
    return copied_to_numpy(products.values(), {products.objectives(), products.objectives()});
  });
  module.def("solve", &solve, "name"_a, "options"_a, "gramian"_a, "losses"_a, "preference"_a, "previous"_a, "step"_a, "previous_losses"_a,
             "two_sample_products"_a);
}

}  // namespace paretofl::python
