#include "paretofl/alignment/grpo_loss.h"

#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/alignment/group_advantages.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

// Two groups of three completions with two rewards: sums of 0.5 / 0.5 are 0.5, 0.5, 2 and 1, 1, 1.
const std::vector<double> kRewards = {1, 0, 0, 1, 2, 2, 1, 1, 2, 0, 0, 2};

TEST(GroupAdvantages, OfTheWeightedSumByHand) {
  const GroupAdvantages sums = group_advantages(kRewards, std::vector{0.5, 0.5}, 3, {.mode = AdvantageMode::kSumThenNormalize});
  const double deviation = std::sqrt(0.5);  // of 0.5, 0.5, 2 about 1
  const double scale = 1 / (deviation + 1e-4);
  EXPECT_THAT(sums.advantages, Pointwise(DoubleNear(1e-12), std::vector{-0.5 * scale, -0.5 * scale, scale, 0.0, 0.0, 0.0}));
  EXPECT_EQ(sums.flat_groups, 1U);
}

TEST(GroupAdvantages, OfEachRewardByHand) {
  const GroupAdvantages each = group_advantages(kRewards, std::vector{0.75, 0.25}, 3, {.mode = AdvantageMode::kNormalizeThenSum});
  const double scale = 1 / (std::sqrt(2.0 / 3) + 1e-4);  // 1, 0, 2 and 0, 1, 2 about 1
  std::vector<double> expected = {-0.25 * scale, -0.75 * scale, scale, 0.0, 0.5 * scale, -0.5 * scale};
  double squares = 0;  // the sums' mean over the batch is 0
  for (const double sum : expected) squares += sum * sum / 6;
  for (double& sum : expected) sum /= std::sqrt(squares) + 1e-4;
  EXPECT_THAT(each.advantages, Pointwise(DoubleNear(1e-12), expected));
  EXPECT_EQ(each.flat_groups, 0U);
}

TEST(GroupAdvantages, DoNotDependOnShiftOrScaleAndSumToZero) {
  std::vector<double> moved;
  for (const double reward : kRewards) moved.push_back(1000 * reward - 7);
  for (const AdvantageMode mode : {AdvantageMode::kSumThenNormalize, AdvantageMode::kNormalizeThenSum}) {
    const auto before = group_advantages(kRewards, std::vector{0.3, 0.7}, 3, {.mode = mode}).advantages;
    EXPECT_THAT(group_advantages(moved, std::vector{0.3, 0.7}, 3, {.mode = mode}).advantages, Pointwise(DoubleNear(2e-3), before));
    for (const std::size_t group : {0U, 3U}) EXPECT_NEAR(before[group] + before[group + 1] + before[group + 2], 0, 1e-12);
  }
}

TEST(GroupAdvantages, OfWeightedSumsNormalizedFirstHaveUnitVarianceOverTheBatch) {
  const std::vector<double> rewards = {0.1, 0.3, 0.2, 0.9, 0.7, 0.1, 5, 5, 5, 5, 5, 5};  // the second group is flat
  const GroupAdvantages found = group_advantages(rewards, std::vector{0.4, 0.6}, 3, {.mode = AdvantageMode::kNormalizeThenSum});
  double mean = 0, square = 0;
  for (const double advantage : found.advantages) mean += advantage / 6, square += advantage * advantage / 6;
  EXPECT_NEAR(mean, 0, 1e-12);
  EXPECT_NEAR(square, 1, 1e-3);
  EXPECT_EQ(found.flat_groups, 1U);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(found.advantages[i], 0);
}

TEST(GroupAdvantages, TheScaleDividesBothGroupsAlikeOrNotAtAll) {
  const std::vector<double> rewards = {1, 2, 3, 10, 20, 30};
  const auto of = [&](RewardScale scale) { return group_advantages(rewards, std::vector{1.0}, 3, {.scale = scale}).advantages; };
  EXPECT_THAT(of(RewardScale::kNone), ElementsAre(-1, 0, 1, -10, 0, 10));
  const std::vector<double> batch = of(RewardScale::kBatch);
  EXPECT_NEAR(batch[5] / batch[2], 10, 1e-12);
  EXPECT_NEAR(batch[2], 1 / (std::sqrt(688.0 / 6) + 1e-4), 1e-12);  // about the batch's mean of 11
  const std::vector<double> group = of(RewardScale::kGroup);
  EXPECT_NEAR(group[5] / group[2], 1, 1e-3);
  const std::vector<double> flat(6, 0.1);
  for (const RewardScale scale : {RewardScale::kNone, RewardScale::kBatch}) {
    EXPECT_THAT(group_advantages(flat, std::vector{1.0}, 3, {.scale = scale}).advantages, Each(0.0));
  }
}

TEST(GroupAdvantages, UnbiasedDeviationsCountOneNumberLess) {
  const std::vector<double> rewards = {1, 2, 3};
  const auto found = group_advantages(rewards, std::vector{1.0}, 3, {.unbiased = true}).advantages;
  EXPECT_NEAR(found[2], 1 / (1 + 1e-4), 1e-12);
}

TEST(GroupAdvantages, EqualRewardsGiveZeroWhateverRounding) {
  const std::vector<double> tenth(9, 0.1);  // whose mean need not be 0.1 in binary
  const GroupAdvantages flat = group_advantages(tenth, std::vector{1.0}, 9, {.mode = AdvantageMode::kSumThenNormalize});
  EXPECT_THAT(flat.advantages, Each(0.0));
  EXPECT_EQ(flat.flat_groups, 1U);
  // A reward of weight zero does not make a group less flat.
  const std::vector<double> pairs = {1, 0, 1, 1, 1, 2};
  EXPECT_EQ(group_advantages(pairs, std::vector{1.0, 0.0}, 3, {.mode = AdvantageMode::kNormalizeThenSum}).flat_groups, 1U);
}

TEST(GroupAdvantages, BadInputIsNamed) {
  const auto advantages = [](std::vector<double> rewards, std::size_t group) {
    return [=] { group_advantages(rewards, std::vector{1.0}, group, {.mode = AdvantageMode::kSumThenNormalize}); };
  };
  EXPECT_THAT(advantages({1, 2, 3}, 2), ThrowsMessage<Error>(HasSubstr("expected whole groups of 2 x 1 rewards, found 3")));
  EXPECT_THAT(advantages({1, 2}, 0), ThrowsMessage<Error>(HasSubstr("expected whole groups")));
  EXPECT_THAT(advantages({1, std::nan("")}, 2), ThrowsMessage<Error>(HasSubstr("expected finite rewards, found nan")));
  EXPECT_THAT([] { parse_advantage_mode("mean"); }, ThrowsMessage<Error>(HasSubstr("found 'mean'")));
  EXPECT_THAT([] { parse_reward_scale("std"); }, ThrowsMessage<Error>(HasSubstr("expected group, batch or none, found 'std'")));
}

const std::vector<std::size_t> kLossLengths = {2, 3};

/// Loss and derivatives of two completions with ratios on both sides of the clip.
GrpoLoss loss_at(const std::vector<double>& logprobs, const GrpoRule& rule, std::span<double> derivatives) {
  const std::vector<double> old_logprobs = {-1, -2, -0.5, -1.5, -0.7};
  const std::vector<double> reference = {-1.2, -1.4, -0.9, -1.1, -2};
  const std::vector<double> shares = token_shares(rule.type, kLossLengths, {true, true}, 6);
  return grpo_loss({logprobs, old_logprobs, reference, kLossLengths, shares}, std::vector{1.5, -0.8}, rule, derivatives);
}

TEST(GrpoLoss, DerivativesAreThoseOfTheLoss) {
  std::vector<double> logprobs = {-0.9, -1.5, -0.55, -1.9, 0.3};
  std::vector<double> derivatives(5);
  EXPECT_EQ(loss_at(logprobs, {.kl_coefficient = 0.04}, derivatives).clipped, 2);
  for (const LossType type : {LossType::kGrpo, LossType::kDrGrpo, LossType::kDapo}) {
    for (const RatioLevel level : {RatioLevel::kToken, RatioLevel::kSequence}) {
      for (const double delta : {1.5, kInfinity}) {
        const GrpoRule rule{.type = type, .level = level, .high = 0.28, .delta = delta, .kl_coefficient = 0.04};
        loss_at(logprobs, rule, derivatives);
        for (std::size_t i = 0; i < logprobs.size(); ++i) {
          const double kept = logprobs[i];
          std::vector<double> unused(5);
          logprobs[i] = kept + 1e-6;
          const double above = loss_at(logprobs, rule, unused).loss;
          logprobs[i] = kept - 1e-6;
          const double below = loss_at(logprobs, rule, unused).loss;
          logprobs[i] = kept;
          EXPECT_NEAR(derivatives[i], (above - below) / 2e-6, 1e-8) << i;
        }
      }
    }
  }
}

TEST(GrpoLoss, BoundsCutOffAndAreCounted) {
  const std::vector<double> logprobs = {-0.9, -1.5, -0.55, -1.9, 0.3};  // ratios 1.11, 1.65 and 0.95, 0.67, 2.72
  std::vector<double> derivatives(5);
  const GrpoLoss plain = loss_at(logprobs, {}, derivatives);
  EXPECT_EQ(plain.clipped_high, 1);
  EXPECT_EQ(plain.clipped_low, 1);
  EXPECT_EQ(derivatives[1], 0);
  EXPECT_EQ(derivatives[3], 0);
  EXPECT_NE(derivatives[4], 0);
  loss_at(logprobs, {.high = 0.7}, derivatives);
  EXPECT_NE(derivatives[1], 0) << "epsilon_high widens the upper bound alone";
  EXPECT_EQ(derivatives[3], 0);
  const GrpoLoss bounded = loss_at(logprobs, {.delta = 2}, derivatives);
  EXPECT_EQ(derivatives[4], 0) << "delta bounds ratios under negative advantages";
  EXPECT_EQ(bounded.clipped, 3);
  EXPECT_LT(bounded.loss, plain.loss);
}

TEST(GrpoLoss, ASequencesTokensShareOneRatio) {
  std::vector<double> logprobs = {-0.9, -1.9, -0.5, -1.5, -0.7};
  std::vector<double> derivatives(5);
  loss_at(logprobs, {.level = RatioLevel::kSequence}, derivatives);
  EXPECT_DOUBLE_EQ(derivatives[0], derivatives[1]);
  EXPECT_NEAR(derivatives[0], -1.5 / 4 * std::exp(0.1), 1e-12);
  // One token's gain is another's loss.
  loss_at({-0.9 + 1, -1.9 - 1, -0.5, -1.5, -0.7}, {.level = RatioLevel::kSequence}, derivatives);
  EXPECT_NEAR(derivatives[0], -1.5 / 4 * std::exp(0.1), 1e-12);
}

TEST(GrpoLoss, CispoWeighsLogprobsByClippedRatiosWithoutCuttingThemOff) {
  const std::vector<double> logprobs = {-0.9, -1.5, -0.55, -1.9, 0.3};
  std::vector<double> derivatives(5);
  const GrpoLoss loss = loss_at(logprobs, {.type = LossType::kCispo, .high = 1.2}, derivatives);
  EXPECT_NEAR(derivatives[0], -1.5 / 5 * std::exp(0.1), 1e-12);
  EXPECT_NEAR(derivatives[1], -1.5 / 5 * 1.2, 1e-12);
  EXPECT_NEAR(derivatives[4], 0.8 / 5 * 1.2, 1e-12);
  EXPECT_EQ(loss.clipped, 1);
}

TEST(TokenShares, SayWhatATokenCounts) {
  const std::vector<std::size_t> lengths = {1, 5};
  EXPECT_THAT(token_shares(LossType::kGrpo, lengths, {true, true}, 10), ElementsAre(0.5, 0.1));
  EXPECT_THAT(token_shares(LossType::kDrGrpo, lengths, {true, true}, 10), ElementsAre(0.05, 0.05));
  for (const LossType type : {LossType::kDapo, LossType::kBnpo, LossType::kCispo}) {
    EXPECT_THAT(token_shares(type, lengths, {true, true}, 10), ElementsAre(1.0 / 6, 1.0 / 6));
    EXPECT_THAT(token_shares(type, lengths, {false, true}, 10), ElementsAre(0, 0.2));
    EXPECT_THAT(token_shares(type, lengths, {false, false}, 10), ElementsAre(0, 0));
  }
  EXPECT_THAT(token_shares(LossType::kGrpo, lengths, {true, false}, 10), ElementsAre(0.5, 0));
  EXPECT_THAT([] { parse_loss_type("ppo"); },
              ThrowsMessage<Error>(HasSubstr("loss_type: expected one of grpo, dr_grpo, dapo, bnpo, cispo, found 'ppo'")));
  EXPECT_THAT([] { parse_ratio_level("word"); }, ThrowsMessage<Error>(HasSubstr("expected one of token, sequence, found 'word'")));
}

}  // namespace
}  // namespace paretofl
