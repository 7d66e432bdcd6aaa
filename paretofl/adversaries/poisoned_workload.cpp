#include "paretofl/adversaries/poisoned_workload.h"

#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/local/steps_learner.h"

namespace paretofl {
namespace {

class PoisonedSteps : public ObjectiveSteps {
 public:
  PoisonedSteps(std::unique_ptr<ObjectiveSteps> honest, std::size_t objective) : honest_(std::move(honest)), objective_(objective) {}

  double num_samples() const override { return honest_->num_samples(); }
  std::size_t num_objectives() const override { return honest_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return honest_->layout(); }
  void start_round(StreamId stream) override { honest_->start_round(stream); }
  void jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) override {
    honest_->jacobian(step, theta, losses, jacobian);
    losses[objective_] *= -1;
    for (float& x : jacobian.subspan(objective_ * theta.size(), theta.size())) x = -x;
  }
  std::map<std::string, std::vector<double>> figures() const override { return honest_->figures(); }
  void save(Record& state) const override { honest_->save(state); }
  void load(const Record& state) override { honest_->load(state); }

 private:
  std::unique_ptr<ObjectiveSteps> honest_;
  std::size_t objective_;
};

}  // namespace

PoisonedWorkload::PoisonedWorkload(const Workload& honest, std::set<int> hostile, std::int64_t objective)
    : honest_(honest), hostile_(std::move(hostile)), objective_(static_cast<std::size_t>(objective)) {
  expect(objective_ < honest.num_objectives(), "adversary.objective: expected a number below {}, found {}", honest.num_objectives(),
         objective);
  expect(honest.has_gradients() || honest.has_objective_steps(),
         "adversary.name: expected another than poison_objective for a workload without gradients of each objective, found it");
}

std::unique_ptr<GradientOracle> PoisonedWorkload::oracle(int client) const {
  if (!hostile_.contains(client)) return honest_.oracle(client);
  std::vector<double> factors(num_objectives(), 1);
  factors[objective_] = -1;
  return std::make_unique<PartialOracle>(honest_.oracle(client), std::move(factors));
}

std::unique_ptr<ObjectiveSteps> PoisonedWorkload::objective_steps(int client, const LocalTrainingOptions& options) const {
  if (!hostile_.contains(client)) return honest_.objective_steps(client, options);
  return std::make_unique<PoisonedSteps>(honest_.objective_steps(client, options), objective_);
}

std::unique_ptr<RewardSteps> PoisonedWorkload::reward_steps(int client) const {
  return hostile_.contains(client) ? Workload::reward_steps(client) : honest_.reward_steps(client);
}

std::unique_ptr<Learner> PoisonedWorkload::learner(int client, const LocalTrainingOptions& options) const {
  if (!hostile_.contains(client)) return honest_.learner(client, options);
  if (has_gradients()) return Workload::learner(client, options);
  return std::make_unique<StepsLearner>(options, objective_steps(client, options), preference(client));
}

}  // namespace paretofl
