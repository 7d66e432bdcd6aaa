#include "paretofl/adversaries/hostile_clients.h"

#include <cmath>
#include <utility>

#include "paretofl/adversaries/lying_client.h"
#include "paretofl/adversaries/poisoned_workload.h"
#include "paretofl/core/error.h"

namespace paretofl {

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
