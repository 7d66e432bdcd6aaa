#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "paretofl/privacy/example_options.h"
#include "paretofl/privacy/privacy_account.h"

namespace paretofl {

/// What the noised gradients of a run disclose of single examples: (epsilon, delta)-differential privacy of the client that was asked in
/// the most rounds. Neighbouring data sets differ by one example of one client. Every gradient of a minibatch is a release over a Poisson
/// sample of the client's examples. That a client is not in every cohort makes nothing smaller here: the server knows who was.
class ExampleAccount : public PrivacyAccount {
 public:
  /// A client takes at most `gradients` gradients in a round. `start` says how many times a run of parties has been started: each start
  /// after the first may repeat a round with other answers, and counts as a round more of every client. `budget` 0: none. Throws Error on
  /// an accountant that there is none of, and a delta that accountants don't take.
  ExampleAccount(const ExampleOptions& options, std::int64_t gradients, std::string accountant, double delta, double budget,
                 std::uint64_t start = 1);

  const char* unit() const override { return "example"; }
  void note_round(const std::set<int>& asked) override;

  double epsilon() const override { return epsilon_after(most_rounds()); }
  double delta() const override { return delta_; }
  bool affords_next_round() const override { return budget_ == 0 || epsilon_after(most_rounds() + 1) <= budget_; }
  std::map<std::string, double> figures() const override { return {{"epsilon", epsilon()}}; }

  Record save() const override;
  void load(const Record& state) override;

 private:
  std::int64_t most_rounds() const;
  double epsilon_after(std::int64_t rounds) const;

  ExampleOptions options_;
  std::int64_t gradients_;
  std::string accountant_;
  double delta_;
  double budget_;
  std::int64_t repeated_;               ///< rounds that later starts may have repeated
  std::map<int, std::int64_t> rounds_;  ///< by client
};

}  // namespace paretofl
