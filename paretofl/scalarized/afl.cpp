#include "paretofl/scalarized/afl.h"

#include "paretofl/optimization/simplex_projection.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/client_update_rule.h"

namespace paretofl {
namespace {

class AflRule : public ClientUpdateRule {
 public:
  AflRule(double server_lr, double weight_lr, int clients)
      : server_lr_(server_lr), weight_lr_(weight_lr), mixture_(static_cast<std::size_t>(clients), 1 / static_cast<double>(clients)) {}

  std::vector<float> combine(Round&, const ClientUpdates& updates, Exclusions&, Metrics& metrics) override {
    double total = 0;
    std::vector<double> cohort;
    for (const Reply& reply : updates.replies) {
      cohort.push_back(reply.client);
      total += mixture_[static_cast<std::size_t>(reply.client)];
    }
    std::vector<float> direction(updates.replies.begin()->update.size());
    std::vector<double> next = mixture_;
    const double stands_for = static_cast<double>(mixture_.size()) / static_cast<double>(updates.replies.size());
    std::size_t i = 0;
    for (const Reply& reply : updates.replies) {
      const auto client = static_cast<std::size_t>(reply.client);
      if (total > 0) add_scaled(direction, server_lr_ * mixture_[client] / total, reply.update);
      next[client] += weight_lr_ * stands_for * updates.losses[i++];
    }
    std::vector<double> scratch(next.size());
    project_onto_simplex(next, scratch);
    mixture_ = std::move(next);
    metrics.set("cohort", std::move(cohort));
    metrics.set("client_losses", updates.losses);
    metrics.set("mixture_weight", mixture_);
    return direction;
  }

  void save(Record& state) const override { state.arrays.insert_or_assign("mixture", Array(std::span(mixture_))); }
  void load(const Record& state) override {
    const auto saved = double_array(state, "mixture", mixture_.size());
    mixture_.assign(saved.begin(), saved.end());
  }

 private:
  double server_lr_;
  double weight_lr_;
  std::vector<double> mixture_;  ///< p [n]
};

}  // namespace

void AflOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate (eta)");
  visit.real("weight_lr", weight_lr, 0, kInfinity, "step size of the clients' mixture weights (gamma)");
  describe_client_losses(visit, losses);
}

Strategy make_afl(const AflOptions& options, const Workload& workload) {
  return make_update_rule_strategy("afl", options.base, "uniform", options.losses,
                                   std::make_unique<AflRule>(options.server_lr, options.weight_lr, workload.num_clients()), workload);
}

}  // namespace paretofl
