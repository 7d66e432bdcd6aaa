#include "paretofl/scalarized/fedmgda_plus.h"

#include <cmath>

#include "paretofl/aggregators/mean.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/client_update_rule.h"
#include "paretofl/solvers/box_simplex_qp.h"

namespace paretofl {
namespace {

class FedMgdaPlusRule : public ClientUpdateRule {
 public:
  FedMgdaPlusRule(double server_lr, double epsilon) : server_lr_(server_lr), epsilon_(epsilon) {}

  std::vector<float> combine(Round&, const ClientUpdates& updates, Exclusions&, Metrics& metrics) override {
    std::vector<float> rows;  // [n, d]
    std::vector<double> cohort;
    for (const Reply& reply : updates.replies) {
      cohort.push_back(reply.client);
      const double norm = std::sqrt(squared_norm(reply.update));
      for (const float x : reply.update) rows.push_back(norm > 0 ? static_cast<float>(x / norm) : 0);
    }
    const std::vector<double> weights = minimize_near(gramian_of_rows(rows, updates.replies.size()), updates.shares, epsilon_);
    std::vector<float> direction = weighted_rows(rows, weights);
    metrics.set("cohort", std::move(cohort));
    metrics.set("client_weight", weights);
    metrics.set("direction_norm", std::sqrt(squared_norm(direction)));
    for (float& x : direction) x *= static_cast<float>(server_lr_);
    return direction;
  }

 private:
  double server_lr_;
  double epsilon_;
};

}  // namespace

void FedMgdaPlusOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("server_lr", server_lr, 0, kInfinity, "length of the server's step along the direction (eta)");
  visit.real("epsilon", epsilon, 0, 1, "how far a client's weight may be from its share; 0: not at all, 1: MGDA over the clients");
  describe_client_weighting(visit, client_weighting);
}

Strategy make_fedmgda_plus(const FedMgdaPlusOptions& options, const Workload& workload) {
  return make_update_rule_strategy("fedmgda_plus", options.base, options.client_weighting, "",
                                   std::make_unique<FedMgdaPlusRule>(options.server_lr, options.epsilon), workload);
}

}  // namespace paretofl
