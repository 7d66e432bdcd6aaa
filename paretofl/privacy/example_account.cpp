#include "paretofl/privacy/example_account.h"

#include <algorithm>
#include <utility>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {

ExampleAccount::ExampleAccount(const ExampleOptions& options, std::int64_t gradients, std::string accountant, double delta, double budget,
                               std::uint64_t start)
    : options_(options),
      gradients_(gradients),
      accountant_(std::move(accountant)),
      delta_(delta),
      budget_(budget),
      repeated_(static_cast<std::int64_t>(start) - 1) {
  make_accountant(accountant_);
  check_delta(delta);
}

void ExampleAccount::note_round(const std::set<int>& asked) {
  for (const int client : asked) ++rounds_[client];
}

std::int64_t ExampleAccount::most_rounds() const {
  std::int64_t most = 0;
  for (const auto& [client, rounds] : rounds_) most = std::max(most, rounds);
  return most + repeated_;
}

double ExampleAccount::epsilon_after(std::int64_t rounds) const {
  if (rounds == 0) return 0;
  const auto accountant = make_accountant(accountant_);
  accountant->add(options_.noise_multiplier, CohortSampling::poisson(options_.rate), rounds * gradients_);
  return accountant->epsilon(delta_);
}

Record ExampleAccount::save() const {
  Record state;
  for (const auto& [client, rounds] : rounds_) state.scalars.emplace(std::to_string(client), static_cast<double>(rounds));
  return state;
}

void ExampleAccount::load(const Record& state) {
  rounds_.clear();
  for (const auto& [client, rounds] : state.scalars) {
    expect(!client.empty() && client.size() < 10 && client.find_first_not_of("0123456789") == std::string::npos,
           "account of examples: expected numbers of clients, found '{}'", client);
    rounds_.emplace(std::stoi(client), count_scalar(state, client.c_str()));
  }
}

}  // namespace paretofl
