#include "paretofl/strategies/fedmoa_figures.h"

#include <map>

#include "paretofl/strategies/fedmoa_messages.h"

namespace paretofl {

Metrics fedmoa_figures(const Replies& replies, const std::vector<RewardReport>& reports, const std::vector<std::string>& reward_names,
                       bool adaptive_weights) {
  Metrics metrics;
  const auto count = static_cast<double>(replies.size());
  std::vector<double> cohort, client_lambda, lambda(reward_names.size()), accuracy, local, client_reward, local_rewards;
  std::map<std::string, std::pair<double, double>> sums;  // of each figure, and how many clients have it
  const auto note = [&](const std::string& name, double value) {
    sums[name].first += value;
    sums[name].second += 1;
  };
  std::map<std::string, std::size_t> holders;  // of the steps' figures
  for (const Reply& reply : replies) {
    for (const auto& [name, value] : reply.extra.scalars) holders[name] += 1;
  }
  const auto add_by_name = [&](const Record& record, std::vector<double>& rows) {
    for (const std::string& name : reward_names) {
      const auto value = record.scalars.find(name);
      rows.push_back(value == record.scalars.end() ? 0 : value->second);
    }
  };
  std::size_t m = 0;
  for (const Reply& reply : replies) {
    cohort.push_back(reply.client);
    const NamedWeights& weights = reports[m++].weights;
    for (std::size_t k = 0; k < reward_names.size(); ++k) {
      const auto weight = weights.find(reward_names[k]);
      client_lambda.push_back(weight == weights.end() ? 0 : weight->second);
      lambda[k] += client_lambda.back() / count;
    }
    add_by_name(reply.extra.record(fedmoa::kReward), client_reward);
    for (const char* figure : fedmoa::kOfRewards) {
      const auto of = reply.extra.records.find(figure);
      if (of == reply.extra.records.end()) continue;
      for (const auto& [name, value] : of->second.scalars) note(std::string(figure) + "_" + name, value);
    }
    if (adaptive_weights) {
      for (const auto& [name, delta] : reply.extra.record(fedmoa::kHypergradient).scalars) note("hypergradient_" + name, delta);
    }
    for (const auto& [name, value] : reply.extra.scalars) {
      if (2 * holders.at(name) > replies.size()) note(name, value);
    }
    const auto own = reply.extra.records.find(fedmoa::kLocal);
    if (own == reply.extra.records.end()) continue;
    accuracy.push_back(own->second.scalar(reply.extra.text(fedmoa::kAccuracy)));
    add_by_name(own->second, local_rewards);
    local.push_back(0);
    for (const auto& [name, reward] : own->second.scalars) local.back() += reward / static_cast<double>(own->second.scalars.size());
  }
  for (const auto& [name, sum] : sums) metrics.set(name, sum.first / sum.second);
  std::vector<double> losses;
  for (const std::string& name : reward_names) {
    if (const auto reward = sums.find("reward_" + name); reward != sums.end())
      losses.push_back(-reward->second.first / reward->second.second);
  }
  if (losses.size() == reward_names.size()) metrics.set("train_loss", std::move(losses));
  if (!local.empty()) {
    metrics.set("local_accuracy", std::move(accuracy));
    metrics.set("local_reward", std::move(local));
    metrics.set("local_rewards", std::move(local_rewards));
  }
  metrics.set("cohort", std::move(cohort));
  metrics.set("lambda", std::move(lambda));
  metrics.set("client_lambda", std::move(client_lambda));
  metrics.set("client_reward", std::move(client_reward));
  return metrics;
}

}  // namespace paretofl
