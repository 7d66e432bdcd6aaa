#include "paretofl/scalarized/fedfv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/whole_share.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/client_update_rule.h"

namespace paretofl {
namespace {

/// Projects a on the normal plane of b if they conflict; whether they did.
bool project_conflict(std::span<float> a, std::span<const float> b) {
  const double product = dot_product(a, b);
  if (product >= 0) return false;
  add_scaled(a, -product / squared_norm(b), b);
  return true;
}

std::vector<float> mean_of(const std::vector<std::vector<float>>& vectors) {
  std::vector<float> mean(vectors.front().size());
  for (const std::vector<float>& vector : vectors) add_scaled(mean, 1 / static_cast<double>(vectors.size()), vector);
  return mean;
}

class FedFvRule : public ClientUpdateRule {
 public:
  FedFvRule(double server_lr, double kept_share, std::int64_t memory, std::size_t size)
      : server_lr_(server_lr), kept_share_(kept_share), memory_(memory), size_(size) {}

  std::vector<float> combine(Round& round, const ClientUpdates& updates, Exclusions&, Metrics& metrics) override {
    std::vector<std::vector<float>> own;
    for (const Reply& reply : updates.replies) own.push_back(reply.update);
    const double length = std::sqrt(squared_norm(mean_of(own)));
    double internal = 0;
    std::vector<float> direction = mean_of(without_internal_conflicts(own, updates.losses, internal));
    for (const Reply& reply : updates.replies) last_.erase(reply.client);
    std::erase_if(last_, [&](const auto& kept) { return kept.second.round + memory_ < round.number(); });
    metrics.set("internal_conflicts", internal);
    metrics.set("external_conflicts", remove_external_conflicts(round.number(), direction));
    const double found = std::sqrt(squared_norm(direction));
    if (found > 0) {
      for (float& x : direction) x = static_cast<float>(server_lr_ * length / found * x);
    }
    if (memory_ > 0) {
      for (const Reply& reply : updates.replies) last_[reply.client] = {round.number(), reply.update};
    }
    return direction;
  }

  void save(Record& state) const override {
    Record& clients = state.records["last_updates"];
    for (const auto& [client, kept] : last_) {
      Record& record = clients.records[std::to_string(client)];
      record.scalars.emplace("client", client);
      record.scalars.emplace("round", kept.round);
      record.arrays.emplace("update", Array(std::span(kept.update)));
    }
  }
  void load(const Record& state) override {
    last_.clear();
    for (const auto& [name, record] : state.record("last_updates").records) {
      const auto update = float_array(record, "update", size_);
      last_[static_cast<int>(count_scalar(record, "client"))] = {count_scalar(record, "round"), {update.begin(), update.end()}};
    }
  }

 private:
  struct Kept {
    std::int64_t round;
    std::vector<float> update;  ///< [d]
  };

  std::vector<std::vector<float>> without_internal_conflicts(const std::vector<std::vector<float>>& own, const std::vector<double>& losses,
                                                             double& conflicts) const {
    std::vector<std::size_t> order(own.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
    const auto kept = whole_share(kept_share_, own.size());
    std::vector<std::vector<float>> projected = own;
    for (std::size_t i = 0; i + kept < order.size(); ++i) {
      for (const std::size_t other : order) {
        if (other != order[i]) conflicts += project_conflict(projected[order[i]], own[other]) ? 1 : 0;
      }
    }
    return projected;
  }

  double remove_external_conflicts(std::int64_t round, std::vector<float>& direction) const {
    double conflicts = 0;
    for (std::int64_t before = memory_; before >= 1; --before) {
      std::vector<float> sum(direction.size());
      for (const auto& [client, kept] : last_) {
        if (kept.round != round - before || dot_product(direction, kept.update) >= 0) continue;
        add_scaled(sum, 1, kept.update);
        conflicts += 1;
      }
      project_conflict(direction, sum);
    }
    return conflicts;
  }

  double server_lr_;
  double kept_share_;
  std::int64_t memory_;
  std::size_t size_;          ///< d
  std::map<int, Kept> last_;  ///< by client, of the last `memory_` rounds
};

}  // namespace

void FedFvOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("server_lr", server_lr, 0, kInfinity, "server learning rate");
  visit.real("kept_share", kept_share, 0, 1, "share of the cohort, with the largest losses, whose updates are not projected (alpha)");
  visit.integer("memory", memory, 0, 1000, "rounds before from which updates of clients that dropped out are heeded (tau)");
  describe_client_losses(visit, losses);
}

Strategy make_fedfv(const FedFvOptions& options, const Workload& workload) {
  return make_update_rule_strategy(
      "fedfv", options.base, "uniform", options.losses,
      std::make_unique<FedFvRule>(options.server_lr, options.kept_share, options.memory, workload.layout()->size()), workload);
}

}  // namespace paretofl
