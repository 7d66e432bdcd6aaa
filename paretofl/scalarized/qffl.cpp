#include "paretofl/scalarized/qffl.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/round.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/mean_and_figure.h"

namespace paretofl {
namespace {

constexpr const char* kH = "h";
constexpr double kLossOffset = 1e-10;

/// Delta_i in the place of the update, and h_i.
void weigh_by_loss(double q, const Request& request, const LocalTrainingOptions& local, Reply& reply) {
  const auto lambda = request.lambda(request.objective_weights.size());
  const double loss = scalarized(double_array(reply.extra, kStartLosses, lambda.size()), lambda);
  reply.extra.arrays.erase(kStartLosses);
  expect(loss >= 0, "qffl client: expected a loss of at least 0, found {}", loss);
  const double lipschitz = 1 / local.client_lr;
  const double power = std::pow(loss + kLossOffset, q);
  const double slope = q == 0 ? 0 : q * std::pow(loss + kLossOffset, q - 1);
  const double h = slope * lipschitz * lipschitz * squared_norm(reply.update) + lipschitz * power;
  expect(std::isfinite(h), "qffl client: expected a finite h, found {}; a smaller strategy.q may help", h);
  for (float& x : reply.update) {
    x = static_cast<float>(lipschitz * power * x);
    expect(std::isfinite(x),
           "qffl client: expected a finite update in single precision, found {} for a loss of {}; a smaller strategy.q may help", x, loss);
  }
  reply.extra.arrays.insert_or_assign(kH, Array(std::span<const double>(&h, 1)));
}

void divide_by_h(std::vector<float>& mean, double h, Metrics& metrics) {
  if (h <= 0) throw RoundAbandoned(fmt::format("qffl: expected a positive sum of the clients' h, found {}", h));
  for (float& x : mean) x = static_cast<float>(x / h);
  metrics.set("mean_h", h);
}

}  // namespace

void QfflOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("q", q, 0, kInfinity, "how much clients with large losses count; 0: FedAvg");
  describe_client_losses(visit, losses);
}

Strategy make_qffl(const QfflOptions& options, const Workload& workload) {
  check_plain_sgd("qffl", options.base.local);
  return make_mean_and_figure_strategy("qffl", options.base, "uniform", options.losses,
                                       {.figure = kH,
                                        .finish = [q = options.q](const Request& request, const LocalTrainingOptions& local,
                                                                  Reply& reply) { weigh_by_loss(q, request, local, reply); },
                                        .step = divide_by_h},
                                       workload);
}

}  // namespace paretofl
