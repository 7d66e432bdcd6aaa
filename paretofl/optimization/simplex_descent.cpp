#include "paretofl/optimization/simplex_descent.h"

#include "paretofl/optimization/simplex_projection.h"

namespace paretofl {

int descend_on_simplex(std::span<const double> a, std::int64_t steps, std::vector<double>& lambda) {
  const std::size_t objectives = lambda.size();
  std::vector<double> next(objectives);
  std::vector<double> scratch(objectives);
  int done = 0;
  while (done < steps) {
    next = lambda;
    for (std::size_t j = 0; j < objectives; ++j) {
      const double* row = &a[j * objectives];
      for (std::size_t i = 0; i < objectives; ++i) next[i] -= lambda[j] * row[i];
    }
    project_onto_simplex(next, scratch);
    ++done;
    if (next == lambda) break;
    lambda.swap(next);
  }
  return done;
}

}  // namespace paretofl
