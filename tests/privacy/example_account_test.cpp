#include "paretofl/privacy/example_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/privacy/privacy_options.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

constexpr ExampleOptions kHidden{.clip = 1, .noise_multiplier = 1.2, .rate = 0.05};

double epsilon_of_gradients(std::int64_t count) {
  return planned_epsilon("rdp", {.sampling = CohortSampling::poisson(0.05), .rounds = count}, 1.2, 1e-5);
}

TEST(ExampleAccount, IsThatOfTheClientAskedMostOften) {
  ExampleAccount account(kHidden, 12, "rdp", 1e-5, 0);
  EXPECT_EQ(account.epsilon(), 0);
  account.note_round({0, 3});
  account.note_round({1, 3});
  account.note_round({1, 2});
  EXPECT_NEAR(account.epsilon(), epsilon_of_gradients(24), 1e-12);
  EXPECT_EQ(account.figures().at("epsilon"), account.epsilon());
  account.note_round({3});
  EXPECT_NEAR(account.epsilon(), epsilon_of_gradients(36), 1e-12);
}

TEST(ExampleAccount, EndsBeforeTheBudget) {
  ExampleAccount account(kHidden, 10, "rdp", 1e-5, epsilon_of_gradients(20));
  EXPECT_TRUE(account.affords_next_round());
  account.note_round({0});
  EXPECT_TRUE(account.affords_next_round());
  account.note_round({0});
  EXPECT_FALSE(account.affords_next_round());
}

TEST(ExampleAccount, GoesOnFromWhatWasSaved) {
  ExampleAccount account(kHidden, 10, "rdp", 1e-5, 0);
  for (int round = 0; round < 5; ++round) account.note_round({7, round});
  ExampleAccount same(kHidden, 10, "rdp", 1e-5, 0), later(kHidden, 10, "rdp", 1e-5, 0, 3);
  same.load(account.save());
  later.load(account.save());
  EXPECT_EQ(same.epsilon(), account.epsilon());
  EXPECT_NEAR(later.epsilon(), epsilon_of_gradients(70), 1e-12);  // two starts more, each of which may have repeated a round
  Record strange;
  strange.scalars.emplace("client", 3);
  EXPECT_THROW(same.load(strange), Error);
}

TEST(ExampleOptions, MustFitEachOther) {
  const auto refused = [](const std::function<void(PrivacyOptions&)>& change) -> std::string {
    PrivacyOptions options;
    options.example = kHidden;
    change(options);
    try {
      options.check();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& o) { o.release.budget = 3; }), "");
  EXPECT_THAT(refused([](auto& o) { o.example.clip = 0; }), HasSubstr("privacy.example_clip: expected a positive number"));
  EXPECT_THAT(refused([](auto& o) { o.example.rate = 0; }), HasSubstr("privacy.example_rate: expected a positive number"));
  EXPECT_THAT(refused([](auto& o) { o.example = {.rate = 0.5}; }), HasSubstr("privacy.example_rate: expected 0"));
  EXPECT_THAT(refused([](auto& o) { o.example.noise_multiplier = 1e-3; }), HasSubstr("privacy.example_noise_multiplier: expected 0, or"));
  EXPECT_THAT(refused([](auto& o) { o.release.delta = 0; }), HasSubstr("privacy.delta: expected a number from"));
  EXPECT_THAT(refused([](auto& o) { o.release.clip = o.release.noise_multiplier = 1; }), HasSubstr("a run has one epsilon"));
  EXPECT_THAT(refused([](auto& o) { o.release.clip_losses = 0; }), HasSubstr("privacy.clip_losses"));
  EXPECT_THAT(refused([](auto& o) { o.example.noise_multiplier = 0, o.release.budget = 1; }), HasSubstr("privacy.budget: expected 0"));
}

}  // namespace
}  // namespace paretofl
