// Properties of both accountants, then recorded values of Google's dp-accounting 0.6.0 (benchmarks/privacy_accountants.py compares more).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "paretofl/core/error.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {
namespace {

double epsilon_of(const std::string& accountant, double noise, const CohortSampling& sampling, std::int64_t steps, double delta) {
  return planned_epsilon(accountant, {sampling, steps}, noise, delta);
}

/// delta of the Gaussian mechanism (Balle and Wang 2018, Theorem 8) at an epsilon whose exponential fits a double.
double analytic_gaussian_delta(double noise, double epsilon) {
  const auto normal = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  return normal(0.5 / noise - epsilon * noise) - std::exp(epsilon) * normal(-0.5 / noise - epsilon * noise);
}

class Accountants : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Each, Accountants, ::testing::ValuesIn(accountant_names()));

TEST_P(Accountants, EpsilonGrowsWithStepsRateAndPrecisionAndFallsWithDelta) {
  const auto epsilon = [](double noise, double rate, std::int64_t steps, double delta) {
    return epsilon_of(GetParam(), noise, CohortSampling::poisson(rate), steps, delta);
  };
  for (const double noise : {0.6, 4.0}) {
    for (const double rate : {0.004, 0.3}) {
      for (const std::int64_t steps : {1, 600}) {
        const double here = epsilon(noise, rate, steps, 1e-6);
        EXPECT_GT(here, 0) << noise << ' ' << rate << ' ' << steps;
        EXPECT_GE(epsilon(noise, rate, 2 * steps, 1e-6), here);
        EXPECT_GE(epsilon(noise, std::min(1.0, 1.5 * rate), steps, 1e-6), here);
        EXPECT_LE(epsilon(1.2 * noise, rate, steps, 1e-6), here);
        EXPECT_LE(epsilon(noise, rate, steps, 1e-5), here);
      }
    }
  }
}

TEST_P(Accountants, NothingReleasedIsPrivate) {
  const auto accountant = make_accountant(GetParam());
  EXPECT_EQ(accountant->epsilon(1e-5), 0);
  accountant->add(1, CohortSampling::poisson(0.1), 0);
  EXPECT_EQ(accountant->epsilon(1e-5), 0);
}

TEST_P(Accountants, StepsAddUpInAnyOrder) {
  const auto one = make_accountant(GetParam()), other = make_accountant(GetParam()), less = make_accountant(GetParam());
  one->add(1.1, CohortSampling::poisson(0.01), 100);
  one->add(2, CohortSampling::poisson(0.05), 50);
  one->add(9, CohortSampling::poisson(1), 2);
  less->add(1.1, CohortSampling::poisson(0.01), 100);
  other->add(9, CohortSampling::poisson(1));
  other->add(2, CohortSampling::poisson(0.05), 20);
  for (int i = 0; i < 100; ++i) other->add(1.1, CohortSampling::poisson(0.01));
  other->add(2, CohortSampling::poisson(0.05), 30);
  other->add(9, CohortSampling::poisson(1));
  EXPECT_NEAR(one->epsilon(1e-5), other->epsilon(1e-5), 1e-9);
  EXPECT_GT(one->epsilon(1e-5), less->epsilon(1e-5));
}

TEST_P(Accountants, ReleasesOverOneCohortAreOneStepWithLessNoise) {
  const PlannedReleases twice{CohortSampling::poisson(0.02), 200, 2};
  EXPECT_DOUBLE_EQ(planned_epsilon(GetParam(), twice, 1.5, 1e-6),
                   epsilon_of(GetParam(), combined_noise({1.5, 1.5}), CohortSampling::poisson(0.02), 200, 1e-6));
  EXPECT_DOUBLE_EQ(combined_noise({3, 4}), 2.4);
}

TEST_P(Accountants, NoiseFoundForAnEpsilonKeepsWithinIt) {
  for (const double epsilon : {0.3, 6.0}) {
    const PlannedReleases plan{CohortSampling::poisson(0.05), 300, 2};
    const double noise = smallest_noise_multiplier(GetParam(), plan, epsilon, 1e-6);
    EXPECT_LE(planned_epsilon(GetParam(), plan, noise, 1e-6), epsilon);
    EXPECT_GT(planned_epsilon(GetParam(), plan, noise / 1.001, 1e-6), epsilon);
  }
}

TEST_P(Accountants, WithoutSamplingTheyBoundTheAnalyticGaussian) {
  for (const double noise : {0.3, 1.0, 4.0, 20.0}) {
    const double epsilon = epsilon_of(GetParam(), 3 * noise, CohortSampling::poisson(1), 9, 1e-6);
    // Up to the rounding of the divergence, whose terms are near 1.
    EXPECT_LE(analytic_gaussian_delta(noise, epsilon), 1e-6 * (1 + 1e-6));
    if (GetParam() == "pld") {
      EXPECT_GT(analytic_gaussian_delta(noise, epsilon * 0.9995), 1e-6) << noise;
    }
  }
}

TEST_P(Accountants, WrongNumbersAreRefused) {
  const auto accountant = make_accountant(GetParam());
  const double nan = std::nan("");
  EXPECT_THROW(accountant->add(0, CohortSampling::poisson(0.1)), Error);
  EXPECT_THROW(accountant->add(nan, CohortSampling::poisson(0.1)), Error);
  EXPECT_THROW(accountant->add(1, CohortSampling::poisson(0.1), -1), Error);
  EXPECT_THROW(accountant->epsilon(0), Error);
  EXPECT_THROW(accountant->epsilon(1), Error);
  EXPECT_THROW(accountant->epsilon(nan), Error);
  EXPECT_THROW(CohortSampling::poisson(0), Error);
  EXPECT_THROW(CohortSampling::poisson(1.01), Error);
  EXPECT_THROW(CohortSampling::poisson(nan), Error);
  EXPECT_THROW(CohortSampling::fixed_size(11, 10), Error);
  EXPECT_THROW(CohortSampling::fixed_size(0, 10), Error);
  const PlannedReleases plan{CohortSampling::poisson(0.1)};
  EXPECT_THROW(smallest_noise_multiplier(GetParam(), plan, nan, 1e-5), Error);
  EXPECT_THROW(smallest_noise_multiplier(GetParam(), plan, 0, 1e-5), Error);
  EXPECT_THROW(combined_noise({}), Error);
  EXPECT_THROW(combined_noise({1, -1}), Error);
  EXPECT_THROW(make_accountant("prv"), Error);
}

TEST(AccountantComparison, LossDistributionsAreAtLeastAsTightAsRenyiDivergences) {
  for (const double noise : {0.5, 1.1, 5.0}) {
    for (const double rate : {0.001, 0.1, 1.0}) {
      for (const std::int64_t steps : {1, 2000}) {
        const CohortSampling sampling = CohortSampling::poisson(rate);
        EXPECT_LE(epsilon_of("pld", noise, sampling, steps, 1e-6), epsilon_of("rdp", noise, sampling, steps, 1e-6) * (1 + 1e-9))
            << noise << ' ' << rate << ' ' << steps;
      }
    }
  }
  // Where delta is of the size of the FFT's rounding errors.
  const CohortSampling rare = CohortSampling::poisson(0.001);
  EXPECT_LE(epsilon_of("pld", 0.6, rare, 100000, 1e-12), epsilon_of("rdp", 0.6, rare, 100000, 1e-12) * (1 + 1e-9));
}

TEST(FixedSizeSampling, OnlyTheRdpAccountantHasABound) {
  const CohortSampling sampling = CohortSampling::fixed_size(10, 100);
  EXPECT_THROW(make_accountant("pld")->add(1, sampling), Error);
  double last = 0;
  for (const std::int64_t cohort : {1, 5, 20, 50, 99, 100}) {
    const double epsilon = epsilon_of("rdp", 2, CohortSampling::fixed_size(cohort, 100), 20, 1e-5);
    EXPECT_GE(epsilon, last);
    EXPECT_GT(epsilon, 0);
    last = epsilon;
  }
  EXPECT_EQ(last, epsilon_of("rdp", 2, CohortSampling::poisson(1), 20, 1e-5));
}

struct Recorded {
  std::string accountant;
  double noise;
  CohortSampling sampling;
  std::int64_t steps;
  double delta;
  double epsilon;
};

TEST(RecordedEpsilons, AreThoseOfDpAccounting) {
  const auto poisson = CohortSampling::poisson;
  const auto fixed = CohortSampling::fixed_size;
  const std::vector<Recorded> values{
      {"rdp", 1.1, poisson(0.01), 10000, 1e-05, 5.6320107},  {"pld", 1.1, poisson(0.01), 10000, 1e-05, 5.1926201},
      {"rdp", 0.7, poisson(0.001), 100, 1e-08, 2.6650599},   {"pld", 0.7, poisson(0.001), 100, 1e-08, 1.4044423},
      {"rdp", 5, poisson(1), 100, 1e-05, 10.72551},          {"pld", 5, poisson(1), 100, 1e-05, 9.9972562},
      {"rdp", 2, poisson(0.1), 100, 1e-08, 3.5157842},       {"pld", 2, poisson(0.1), 100, 1e-08, 3.2824614},
      {"pld", 0.5, poisson(0.1), 1, 1e-05, 6.5755398},       {"pld", 0.5, poisson(0.01), 10000, 1e-08, 55.116616},
      {"rdp", 1.1, fixed(100, 1000), 100, 1e-05, 12.264818}, {"rdp", 0.7, fixed(10, 1000), 10000, 1e-08, 32.41633},
      {"rdp", 5, fixed(1, 1000), 10000, 1e-05, 0.15072986},  {"rdp", 2, fixed(100, 1000), 1, 1e-08, 0.98775075},
  };
  for (const Recorded& value : values) {
    const double epsilon = epsilon_of(value.accountant, value.noise, value.sampling, value.steps, value.delta);
    EXPECT_NEAR(epsilon, value.epsilon, 2e-4 * value.epsilon) << value.accountant << ' ' << value.noise << ' ' << value.steps;
  }
}

}  // namespace
}  // namespace paretofl
