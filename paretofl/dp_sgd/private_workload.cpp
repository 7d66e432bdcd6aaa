#include "paretofl/dp_sgd/private_workload.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/dp_sgd/private_oracle.h"

namespace paretofl {

PrivateWorkload::PrivateWorkload(const Workload& inner, const PrivacyOptions& options, std::function<Secret(int client)> root)
    : Workload(inner.part()), inner_(inner), options_(options), root_(std::move(root)) {
  expect(inner.has_gradients(), "privacy.example_clip: expected a workload with gradients of each objective, found one without");
  if (const std::vector<int> own = own_clients(); !own.empty()) make_oracle(own.front(), Secret());
}

nlohmann::json PrivateWorkload::facts() const { return inner_.facts(); }

nlohmann::json PrivateWorkload::statistics() const { return inner_.statistics(); }

std::unique_ptr<GradientOracle> PrivateWorkload::oracle(int client) const {
  return make_oracle(client, root_(client).derive("noise of gradients"));
}

std::unique_ptr<GradientOracle> PrivateWorkload::make_oracle(int client, const Secret& key) const {
  return std::make_unique<PrivateOracle>(inner_.oracle(client), options_.example, options_.release.clip_losses,
                                         FixedPoint(static_cast<int>(options_.bits), 1), key);
}

}  // namespace paretofl
