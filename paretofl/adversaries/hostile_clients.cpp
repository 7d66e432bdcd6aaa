#include "paretofl/adversaries/hostile_clients.h"

#include <cmath>
#include <utility>

#include "paretofl/adversaries/poisoned_workload.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

class LyingClient : public ClientHalf {
 public:
  LyingClient(std::unique_ptr<ClientHalf> honest, std::function<void(Reply&)> alter)
      : honest_(std::move(honest)), alter_(std::move(alter)) {}

  Reply handle(const Request& request, StreamId stream) override {
    Reply reply = honest_->handle(request, stream);
    alter_(reply);
    return reply;
  }
  void end_round() noexcept override { honest_->end_round(); }
  void save(Record& state) const override { honest_->save(state); }
  void load(const Record& state) override { honest_->load(state); }

 private:
  std::unique_ptr<ClientHalf> honest_;
  std::function<void(Reply&)> alter_;
};

}  // namespace

HostileClients::HostileClients(const Adversary& adversary, std::uint64_t seed, const Workload& honest)
    : alter_(adversary.alter), honest_(honest) {
  if (!adversary.alter && !adversary.poisoned_objective) return;
  const auto population = static_cast<std::size_t>(honest.num_clients());
  const auto count = static_cast<std::size_t>(std::llround(adversary.share * honest.num_clients()));
  expect(count > 0, "adversary.share: expected a share of {} clients that is at least one of them, found {}", population, adversary.share);
  for (const std::size_t client : Random({seed, 0, kServerStream}, "hostile clients").sample_without_replacement(population, count)) {
    clients_.insert(static_cast<int>(client));
  }
  if (adversary.poisoned_objective) poisoned_ = std::make_unique<PoisonedWorkload>(honest, clients_, *adversary.poisoned_objective);
}

ClientFactory HostileClients::among(ClientFactory factory) const {
  if (!alter_) return factory;
  return [factory = std::move(factory), alter = alter_, hostile = clients_](int client) -> std::unique_ptr<ClientHalf> {
    if (!hostile.contains(client)) return factory(client);
    return std::make_unique<LyingClient>(factory(client), alter);
  };
}

}  // namespace paretofl
