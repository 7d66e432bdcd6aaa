#include "paretofl/personalized/personalized.h"

#include <algorithm>

#include "paretofl/aggregators/mean.h"
#include "paretofl/rounds/learner_client.h"

namespace paretofl {
namespace {

class PersonalizedServer : public ServerHalf {
 public:
  PersonalizedServer(bool fine_tune, std::unique_ptr<ModelMixer> mixer, const Workload& workload)
      : fine_tune_(fine_tune),
        mixer_(std::move(mixer)),
        objectives_(workload.num_objectives()),
        mixed_(workload.initial_parameters(), workload.num_clients()),
        trained_(mixed_) {}

  Metrics run_round(Round& round, Parameters& global) override {
    std::vector<Envelope> envelopes;
    for (int i = 0; i < mixed_.size(); ++i) envelopes.push_back({i, Request("train").with(std::as_const(mixed_).of(i))});
    Replies replies = round.exchange(std::move(envelopes));
    Exclusions exclusions;
    keep_trained_models(replies, mixed_.layout().size(), objectives_, exclusions);

    ClientModels trained = mixed_;
    LocalRound local{.sent = mixed_, .trained = trained, .answered = {}, .num_samples = {}};
    for (const Reply& reply : replies) {
      std::copy(reply.update.begin(), reply.update.end(), trained.of(reply.client).begin());
      local.answered.push_back(reply.client);
      local.num_samples.push_back(reply.num_samples);
    }
    ClientModels mixed = trained;
    Metrics metrics = mixer_->mix(local, mixed);
    if (all_have_losses(replies)) metrics.set("train_loss", mean_losses(replies, objectives_));
    exclusions.record(metrics);
    mixed_ = std::move(mixed);
    trained_ = std::move(trained);
    const std::vector<float> mean = client_models()->mean();
    std::copy(mean.begin(), mean.end(), global.values().begin());
    return metrics;
  }

  const ClientModels* client_models() const override { return fine_tune_ ? &trained_ : &mixed_; }
  const ClientModels* fine_tuned_models() const override { return fine_tune_ ? nullptr : &trained_; }

  void save(Record& state) const override {
    state.records.emplace("mixed", mixed_.save());
    state.records.emplace("trained", trained_.save());
    mixer_->save(state.records["mixer"]);
  }
  void load(const Record& state) override {
    mixed_.load(state.record("mixed"));
    trained_.load(state.record("trained"));
    mixer_->load(state.record("mixer"));
  }

 private:
  bool fine_tune_;
  std::unique_ptr<ModelMixer> mixer_;
  std::size_t objectives_;  ///< M
  ClientModels mixed_;
  ClientModels trained_;
};

}  // namespace

void PersonalizedOptions::describe(OptionVisitor& visit) {
  local.describe(visit);
  visit.boolean("fine_tune", fine_tune, "the run's models are the clients' models after the last local training, before mixing (+FT)");
}

Strategy make_personalized(const PersonalizedOptions& options, std::unique_ptr<ModelMixer> mixer, const Workload& workload) {
  return {.server = std::make_unique<PersonalizedServer>(options.fine_tune, std::move(mixer), workload),
          .client = learner_clients(workload, options.local),
          .gradients_per_round = options.local.local_steps};
}

}  // namespace paretofl
