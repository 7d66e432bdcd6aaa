#include "paretofl/scalarized/fedexp.h"

#include <algorithm>

#include "paretofl/aggregators/mean.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/mean_and_figure.h"

namespace paretofl {
namespace {

constexpr const char* kSquaredNorm = "squared_norm";

void add_squared_norm(const Request&, const LocalTrainingOptions&, Reply& reply) {
  const double square = squared_norm(reply.update);
  reply.extra.arrays.insert_or_assign(kSquaredNorm, Array(std::span<const double>(&square, 1)));
}

}  // namespace

void FedExpOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("epsilon", epsilon, 0, kInfinity, "added to the squared norm of the mean update, which bounds the step");
  describe_client_weighting(visit, client_weighting);
}

Strategy make_fedexp(const FedExpOptions& options, const Workload& workload) {
  return make_mean_and_figure_strategy("fedexp", options.base, options.client_weighting, "",
                                       {.figure = kSquaredNorm,
                                        .finish = add_squared_norm,
                                        .step =
                                            [epsilon = options.epsilon](std::vector<float>& mean, double square, Metrics& metrics) {
                                              const double divisor = 2 * (squared_norm(mean) + epsilon);
                                              const double rate = divisor > 0 ? std::max(1.0, square / divisor) : 1;
                                              for (float& x : mean) x *= static_cast<float>(rate);
                                              metrics.set("server_lr", rate);
                                            }},
                                       workload);
}

}  // namespace paretofl
