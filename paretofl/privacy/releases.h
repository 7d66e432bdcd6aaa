#pragma once

#include <map>
#include <vector>

#include "paretofl/core/round.h"
#include "paretofl/privacy/privacy_account.h"
#include "paretofl/privacy/privacy_ledger.h"
#include "paretofl/privacy/release.h"

namespace paretofl {

/// The releases of a run, at its server: makes each, counts it, and keeps within the budget.
class Releases : public PrivacyAccount {
 public:
  /// `layers` as Release says. The noise of the server follows from `key`; `start` as PrivacyLedger says.
  Releases(const ReleaseOptions& options, const FixedPoint& fixed_point, std::vector<std::size_t> layers, const Secret& key,
           std::uint64_t start = 1);

  /// The sum that a strategy asks for. Throws Error where it would exceed the budget.
  Release begin(const Round& round, const SumSpec& spec);
  /// What the clients need to know of the release that has begun, beside their options: the bounds, and its number in the round.
  Record for_clients() const;
  static constexpr const char* kNumber = "number";
  /// The key of its noise, where that is the server's.
  Secret noise_key() const;
  /// Counts it, and gives what it says.
  CohortMean end(const Round& round, const Release& release, std::span<const std::uint64_t> sums, Cohort cohort);

  bool noisy() const { return options_.noisy(); }
  const char* unit() const override { return "client"; }
  double epsilon() const override { return ledger_.epsilon(); }
  double delta() const override { return options_.delta; }
  /// Whether a round like the last one stays within the budget.
  bool affords_next_round() const override;

  /// epsilon, and the norms where they adapt.
  std::map<std::string, double> figures() const override;

  Record save() const override;
  void load(const Record& state) override;

 private:
  ReleaseOptions options_;
  FixedPoint fixed_point_;
  std::vector<std::size_t> layers_;
  Secret key_;
  ClipBounds bounds_;
  PrivacyLedger ledger_;
  std::uint32_t round_ = 0;
  std::size_t in_round_ = 0;  ///< releases in that round
};

}  // namespace paretofl
