#include "paretofl/privacy/privacy_ledger.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {
namespace {

const CohortSampling kPoisson = CohortSampling::poisson(0.1);

TEST(PrivacyLedger, CountsTheReleasesOfARoundAsOneStep) {
  for (const std::string& accountant : accountant_names()) {
    PrivacyLedger ledger(accountant, 1e-5);
    EXPECT_EQ(ledger.epsilon(), 0);
    for (std::uint32_t round = 1; round <= 5; ++round) {
      ledger.add(round, 0, 1.5, kPoisson);
      ledger.add(round, 0, 1.5, kPoisson);
    }
    EXPECT_DOUBLE_EQ(ledger.epsilon(), planned_epsilon(accountant, {.sampling = kPoisson, .rounds = 5, .releases = 2}, 1.5, 1e-5));
  }
}

TEST(PrivacyLedger, CountsEachCohortOfARoundAlone) {
  PrivacyLedger ledger("rdp", 1e-5);
  const CohortSampling other = CohortSampling::fixed_size(5, 20);
  ledger.add(1, 0, 1.5, kPoisson);
  ledger.add(1, 1, 2, other);
  const auto accountant = make_accountant("rdp");
  accountant->add(1.5, kPoisson);
  accountant->add(2, other);
  EXPECT_DOUBLE_EQ(ledger.epsilon(), accountant->epsilon(1e-5));
}

TEST(PrivacyLedger, LooksAheadWithoutCounting) {
  PrivacyLedger ledger("rdp", 1e-5);
  ledger.add(1, 0, 1.5, kPoisson);
  ledger.add(1, 0, 1.5, kPoisson);
  const double before = ledger.epsilon();
  const double next_round = ledger.epsilon_after_next_round();
  const double next_release = ledger.epsilon_with(2, 0, 1.5, kPoisson);
  EXPECT_EQ(ledger.epsilon(), before);
  EXPECT_LT(before, next_release);
  EXPECT_LT(next_release, next_round);
  ledger.add(2, 0, 1.5, kPoisson);
  EXPECT_EQ(ledger.epsilon(), next_release);
  ledger.add(2, 0, 1.5, kPoisson);
  EXPECT_EQ(ledger.epsilon(), next_round);
}

/// A round that was released and not saved is repeated after the next start, with other noise and over the same cohort: sampling, which
/// hides from each release who was in it, does so once.
TEST(PrivacyLedger, ARoundCountsOncePerStartOverOneCohort) {
  const auto of_rounds = [](std::int64_t rounds, std::int64_t repeated = 1) {
    const auto accountant = make_accountant("rdp");
    accountant->add(1.5, kPoisson, repeated > 1 ? rounds - 1 : rounds);
    if (repeated > 1) accountant->add(combined_noise(std::vector<double>(static_cast<std::size_t>(repeated), 1.5)), kPoisson);
    return accountant->epsilon(1e-5);
  };
  PrivacyLedger first("rdp", 1e-5, 1);
  first.add(1, 0, 1.5, kPoisson);
  first.add(2, 0, 1.5, kPoisson);
  EXPECT_DOUBLE_EQ(first.epsilon(), of_rounds(2));
  PrivacyLedger third("rdp", 1e-5, 3);
  third.load(first.save());
  EXPECT_DOUBLE_EQ(third.epsilon(), of_rounds(2));
  EXPECT_DOUBLE_EQ(third.epsilon_after_next_round(), of_rounds(3, 3));
  third.add(3, 0, 1.5, kPoisson);
  EXPECT_DOUBLE_EQ(third.epsilon(), of_rounds(3, 3));
  third.add(4, 0, 1.5, kPoisson);
  EXPECT_DOUBLE_EQ(third.epsilon(), of_rounds(4, 3));
  PrivacyLedger without_record("rdp", 1e-5, 2);
  without_record.add(1, 0, 1.5, kPoisson);
  EXPECT_DOUBLE_EQ(without_record.epsilon(), of_rounds(1, 2));
  EXPECT_GT(of_rounds(1, 2), of_rounds(2)) << "as independent samples it would seem less";
  EXPECT_THROW(first.load(third.save()), Error);
}

TEST(PrivacyLedger, GoesOnFromWhatWasSaved) {
  PrivacyLedger ledger("rdp", 1e-5);
  for (std::uint32_t round = 1; round <= 12; ++round) ledger.add(round, 0, round % 2 == 0 ? 1.5 : 3, kPoisson);
  PrivacyLedger other("rdp", 1e-5);
  other.load(ledger.save());
  EXPECT_EQ(other.epsilon(), ledger.epsilon());
  EXPECT_EQ(other.epsilon_after_next_round(), ledger.epsilon_after_next_round());
  Record damaged = ledger.save();
  damaged.records.at("last").records.begin()->second.scalars.at("noise_multiplier") = -1;
  EXPECT_THROW(other.load(damaged), Error);
  EXPECT_THROW(other.load({}), Error);
}

TEST(PrivacyLedger, RefusesWhatAccountantsDo) {
  EXPECT_THROW(PrivacyLedger("none", 1e-5), Error);
  EXPECT_THROW(PrivacyLedger("rdp", 0), Error);
}

}  // namespace
}  // namespace paretofl
