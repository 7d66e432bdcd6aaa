#include "paretofl/language/token_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/kernels/lane_exp.h"

namespace paretofl {
namespace {

constexpr int kDraws = 20000;

/// How often each token is drawn.
std::map<TokenId, double> frequencies(const Sampling& sampling, const std::vector<float>& logits) {
  TokenSampler sampler(sampling);
  Random random({1}, "draws");
  std::map<TokenId, double> counts;
  for (int i = 0; i < kDraws; ++i) counts[sampler.draw(logits, random)] += 1.0 / kDraws;
  return counts;
}

/// Four standard deviations of a frequency.
double noise(double p) { return 4 * std::sqrt(p * (1 - p) / kDraws); }

std::vector<float> logits_of(std::vector<double> probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p) + 3));
  return logits;
}

TEST(LaneExp, IsTheExponentialFunction) {
  for (double x = -86.9; x < 88; x += 0.0137) {
    const auto value = static_cast<float>(x);
    const double expected = std::exp(static_cast<double>(value));
    EXPECT_NEAR(exp_lanes(Lanes{} + value)[1], expected, 2.5e-7 * expected) << value;
  }
  EXPECT_EQ(exp_lanes(Lanes{})[0], 1);
  EXPECT_EQ(exp_lanes(Lanes{} - 1000)[0], 0);
  EXPECT_EQ(exp_lanes(Lanes{} - INFINITY)[0], 0);
}

TEST(LogSumExp, IsExactForLengthsThatAreNoMultipleOfLanes) {
  for (const std::size_t length : {1, 5, 16, 33, 5000}) {
    Random random({length}, "logits");
    std::vector<float> logits(length);
    for (float& x : logits) x = static_cast<float>(3 * random.normal());
    double sum = 0;
    for (const float x : logits) sum += std::exp(static_cast<double>(x));
    EXPECT_NEAR(log_sum_exp(logits), std::log(sum), 2e-6);
    double sharper = 0;
    for (const float x : logits) sharper += std::exp(static_cast<double>(x) / 0.7);
    EXPECT_NEAR(log_sum_exp(logits, 1 / 0.7), std::log(sharper), 4e-6);
  }
  EXPECT_THROW(log_sum_exp(std::vector<float>{1, NAN}), Error);
}

TEST(TokenSampler, DrawsByProbability) {
  const std::vector<double> p = {0.1, 0.05, 0.6, 0.25};
  for (const auto& [token, frequency] : frequencies({.stop = {}}, logits_of(p))) {
    EXPECT_NEAR(frequency, p[static_cast<std::size_t>(token)], noise(p[static_cast<std::size_t>(token)]));
  }
}

TEST(TokenSampler, TemperatureSharpens) {
  const auto found = frequencies({.temperature = 0.5, .stop = {}}, logits_of({0.25, 0.75}));
  EXPECT_NEAR(found.at(1), 0.9, noise(0.9));  // 9 / (1 + 9)
}

TEST(TokenSampler, TopKKeepsTheMostProbableAndOfEqualsTheFirst) {
  const auto found = frequencies({.top_k = 2, .stop = {}}, logits_of({0.1, 0.2, 0.2, 0.5}));
  ASSERT_THAT(found, testing::SizeIs(2));
  EXPECT_NEAR(found.at(1), 0.2 / 0.7, noise(0.2 / 0.7));
  EXPECT_NEAR(found.at(3), 0.5 / 0.7, noise(0.5 / 0.7));
}

TEST(TokenSampler, TopPKeepsTheFewestThatHoldIt) {
  const std::vector<float> logits = logits_of({0.1, 0.2, 0.45, 0.25});
  EXPECT_THAT(frequencies({.top_p = 0.44, .stop = {}}, logits), testing::ElementsAre(testing::Key(2)));
  EXPECT_THAT(frequencies({.top_p = 0.46, .stop = {}}, logits), testing::ElementsAre(testing::Key(2), testing::Key(3)));
  EXPECT_THAT(frequencies({.top_p = 0.71, .stop = {}}, logits), testing::ElementsAre(testing::Key(1), testing::Key(2), testing::Key(3)));
  // Of what top_k leaves: 0.45 / 0.7 < 0.7.
  EXPECT_THAT(frequencies({.top_k = 2, .top_p = 0.7, .stop = {}}, logits), testing::ElementsAre(testing::Key(2), testing::Key(3)));
}

TEST(TokenSampler, MinPKeepsTheTokensNearTheMostProbable) {
  const std::vector<double> p = {0.1, 0.2, 0.45, 0.25};
  EXPECT_THAT(frequencies({.min_p = 0, .stop = {}}, logits_of(p)), testing::SizeIs(4));
  // The threshold is a share of the largest probability: 0.5 of 0.45 lies between 0.2 and 0.25.
  const auto found = frequencies({.min_p = 0.5, .stop = {}}, logits_of(p));
  ASSERT_THAT(found, testing::ElementsAre(testing::Key(2), testing::Key(3)));
  EXPECT_NEAR(found.at(3), 0.25 / 0.7, noise(0.25 / 0.7));
  EXPECT_THAT(frequencies({.min_p = 1, .stop = {}}, logits_of(p)), testing::ElementsAre(testing::Key(2)));
  // Of what is left at this temperature: odds of 0.25^2 beside 0.45^2.
  EXPECT_THAT(frequencies({.temperature = 0.5, .min_p = 0.5, .stop = {}}, logits_of(p)), testing::ElementsAre(testing::Key(2)));
  EXPECT_THAT(frequencies({.top_k = 1, .min_p = 0.1, .stop = {}}, logits_of(p)), testing::ElementsAre(testing::Key(2)));
}

TEST(TokenSampler, TopPOfAnEvenDistributionTakesTheFirstIds) {
  const auto found = frequencies({.top_p = 0.5, .stop = {}}, std::vector<float>(400, 1.5F));
  EXPECT_EQ(found.size(), 200);
  EXPECT_EQ(found.rbegin()->first, 199);
}

TEST(TokenSampler, TemperatureZeroTakesTheMostProbableAndNoRandomNumber) {
  TokenSampler sampler({.temperature = 0, .stop = {}});
  Random random({1}, "draws");
  EXPECT_EQ(sampler.draw(std::vector<float>{1, 4, 4, 2}, random), 1);
  EXPECT_EQ(random(), Random({1}, "draws")());
  EXPECT_THROW(sampler.draw(std::vector<float>{NAN, NAN}, random), Error);
}

TEST(TokenSampler, RefusesImpossibleOptions) {
  EXPECT_THROW(TokenSampler({.max_new_tokens = 0, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.temperature = -1, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.temperature = NAN, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.top_k = -1, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.top_p = 0, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.top_p = 1.5, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.min_p = -0.1, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.min_p = 1.1, .stop = {}}), Error);
  EXPECT_THROW(TokenSampler({.min_p = NAN, .stop = {}}), Error);
}

}  // namespace
}  // namespace paretofl
