#include "paretofl/evaluation/federated_evaluation.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace paretofl {
namespace {

constexpr const char* kEvaluateHeldOut = "evaluate_held_out";

class EvaluatingClient : public ClientHalf {
 public:
  EvaluatingClient(std::unique_ptr<ClientHalf> half, const Workload& workload, int client)
      : half_(std::move(half)), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    if (request.verb != kEvaluateHeldOut) return half_->handle(request, stream);
    ThreadPool pool(1);
    Reply reply;
    reply.extra = workload_.evaluate_held_out(client_, request.theta(workload_.layout()->size()), pool).save();
    return reply;
  }
  void end_round() noexcept override { half_->end_round(); }
  void save(Record& state) const override { half_->save(state); }
  void load(const Record& state) override { half_->load(state); }

 private:
  std::unique_ptr<ClientHalf> half_;
  const Workload& workload_;
  int client_;
};

std::vector<Envelope> requests(const RunModels& models, int num_clients) {
  const bool shared = models.clients == nullptr;
  const Request same = shared ? Request(kEvaluateHeldOut).with(models.shared) : Request();
  std::vector<Envelope> envelopes;
  for (int client = 0; client < num_clients; ++client) {
    envelopes.push_back({client, shared ? same : Request(kEvaluateHeldOut).with(models.clients->of(client))});
  }
  return envelopes;
}

/// Puts a client's own means into {metric: {objective: [n]}}.
void add_client(nlohmann::ordered_json& by_client, const HeldOutFigures& own, int client, int num_clients,
                const std::vector<std::string>& objectives) {
  for (const auto& [metric, means] : own.means()) {
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      nlohmann::ordered_json& row = by_client[metric][objectives[k]];
      if (row.is_null()) row = std::vector<nlohmann::ordered_json>(static_cast<std::size_t>(num_clients));
      if (own.metrics.at(metric).samples[k] > 0) row[static_cast<std::size_t>(client)] = means[k];
    }
  }
}

}  // namespace

ClientFactory with_held_out_evaluation(ClientFactory factory, const Workload& workload) {
  return [factory = std::move(factory), &workload](int client) {
    return std::make_unique<EvaluatingClient>(factory(client), workload, client);
  };
}

nlohmann::ordered_json evaluate_held_out(Round& round, const RunModels& models, const std::vector<std::string>& objectives,
                                         bool by_client) {
  HeldOutFigures all;
  int clients = 0;
  std::vector<Failure> failures;
  nlohmann::ordered_json result;
  try {
    for (const Reply& reply : round.exchange(requests(models, round.num_clients()))) {
      try {
        const HeldOutFigures own = HeldOutFigures::load(reply.extra, objectives.size());
        clients += own.empty() ? 0 : 1;
        all += own;
        if (by_client) add_client(result["by_client"], own, reply.client, round.num_clients(), objectives);
      } catch (const Error& error) {
        failures.push_back({reply.client, kEvaluateHeldOut, error.what()});
      }
    }
  } catch (const RoundAbandoned& abandoned) {
    result["abandoned"] = abandoned.what();
  }
  result["test"] = nlohmann::ordered_json::object();
  std::vector<double> samples(objectives.size());
  for (const auto& [metric, means] : all.means()) {
    const std::vector<double>& of_metric = all.metrics.at(metric).samples;
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      if (of_metric[k] > 0) result["test"][metric][objectives[k]] = means[k];
      samples[k] = std::max(samples[k], of_metric[k]);
    }
  }
  for (std::size_t k = 0; k < objectives.size(); ++k) result["samples"][objectives[k]] = samples[k];
  result["clients"] = clients;
  failures.insert(failures.end(), round.failures().begin(), round.failures().end());
  for (const Failure& failure : failures) result["failures"].push_back({{"client", failure.client}, {"reason", failure.reason}});
  result["bytes_up"] = round.bytes_up();
  result["bytes_down"] = round.bytes_down();
  return result;
}

}  // namespace paretofl
