#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using ::testing::HasSubstr;

Outcome epsilon_command(const std::string& arguments) { return run_in_shell(command_path() + " epsilon " + arguments + " 2>&1"); }

double epsilon_key(const std::string& arguments, const std::string& key = "epsilon") {
  const Outcome outcome = epsilon_command(arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  return nlohmann::json::parse(outcome.out).at(key).get<double>();
}

TEST(EpsilonCommand, PrintsTheReferenceValues) {
  const std::string poisson = "--noise-multiplier 1.1 --sampling-rate 0.01 --rounds 10000 --delta 1e-5 --accountant ";
  EXPECT_NEAR(epsilon_key(poisson + "rdp"), 5.6320, 1e-4);
  EXPECT_NEAR(epsilon_key(poisson + "pld"), 5.1926, 1e-4);
  EXPECT_NEAR(epsilon_key("--noise-multiplier 1.1 --cohort 100 --clients 1000 --rounds 100 --delta 1e-5 --accountant rdp"), 12.2648, 1e-4);
  EXPECT_EQ(epsilon_command(poisson + "rdp").out,
            "10000 rounds with noise multiplier 1.1 are (5.63199, 1e-05)-differentially private (accountant rdp).\n");
}

TEST(EpsilonCommand, LeadingZerosAreDecimal) {
  const std::string plan = "--noise-multiplier 1 --sampling-rate 0.1 --delta 1e-5 --accountant rdp --rounds ";
  EXPECT_EQ(epsilon_command(plan + "010").out, epsilon_command(plan + "10").out);
  EXPECT_THAT(epsilon_command(plan + "010").out, HasSubstr("10 rounds"));
}

TEST(EpsilonCommand, FindsTheNoiseForAnEpsilon) {
  const std::string plan = "--sampling-rate 0.1 --rounds 50 --releases 3 --delta 1e-6 --accountant rdp ";
  const double noise = epsilon_key(plan + "--epsilon 4", "noise_multiplier");
  EXPECT_LE(epsilon_key(plan + "--noise-multiplier " + std::to_string(noise + 1e-6)), 4);
  EXPECT_GT(epsilon_key(plan + "--noise-multiplier " + std::to_string(0.999 * noise)), 4);
}

TEST(EpsilonCommand, EveryBadValueIsOneClearError) {
  const std::string rounds = "--rounds 10 --delta 1e-5 ", rate = "--sampling-rate 0.1 ", noise = "--noise-multiplier 1 ";
  const std::vector<std::pair<std::string, std::string>> cases{
      {rounds + rate, "expected one of --noise-multiplier and --epsilon, found neither"},
      {rounds + rate + noise + "--epsilon 1", "found both"},
      {rounds + noise, "expected --sampling-rate, or --cohort with --clients; found neither"},
      {rounds + noise + rate + "--cohort 1 --clients 2", "found both"},
      {rounds + noise + "--cohort 1", "found --cohort without --clients"},
      {rounds + noise + "--clients 1", "found --clients without --cohort"},
      {rounds + noise + "--cohort 5 --clients 4 --accountant rdp", "expected 1 to 4 clients, found 5"},
      {rounds + noise + "--cohort 3 --clients 4 --accountant pld", "expected Poisson sampling, found sampling of a fixed size"},
      {rounds + noise + "--sampling-rate 1.5", "sampling rate: expected a number above 0 and at most 1, found 1.5"},
      {rounds + noise + "--sampling-rate nan", "found nan"},
      {rounds + rate + "--noise-multiplier 0", "noise multiplier: expected a number from 0.01 to 1000000, found 0"},
      {rounds + rate + "--noise-multiplier one", "one"},
      {rounds + rate + "--noise-multiplier inf", "found inf"},
      {rounds + rate + "--epsilon -1", "epsilon: expected a positive number, found -1"},
      {"--rounds 2000000000 --delta 1e-12 --sampling-rate 1 --epsilon 1e-9",
       "epsilon: expected one that a noise multiplier up to 1000000 reaches"},
      {rounds + rate + noise + "--accountant prv", "accountant: expected rdp or pld, found 'prv'"},
      {rounds + rate + noise + "--releases 0", "--releases: expected a whole number from 1"},
      {"--rounds 0 --delta 1e-5 " + rate + noise, "--rounds: expected a whole number from 1"},
      {"--rounds 10 --delta 0 " + rate + noise, "delta: expected a number from 1e-12 to below 1, found 0"},
      {"--delta 1e-5 " + rate + noise, "--rounds"},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = epsilon_command(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(message)) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

}  // namespace
}  // namespace paretofl
