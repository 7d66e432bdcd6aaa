#include "paretofl/alignment/dpo_loss.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<DpoRule> kDpoRules = {{DpoLossType::kSigmoid, 0.3}, {DpoLossType::kSigmoid, 0.3, 0.1}, {DpoLossType::kSigmoidNorm, 0.7},
                                        {DpoLossType::kHinge, 0.3},   {DpoLossType::kIpo, 0.4},          {DpoLossType::kRobust, 0.3, 0.1}};

TEST(DpoLoss, AtTheReferenceIsThatOfACoin) {
  const PairLogprobs same{-12.5, -40};
  const PairLengths lengths{3, 9};
  for (const double epsilon : {0.0, 0.2}) {
    for (const DpoLossType type : {DpoLossType::kSigmoid, DpoLossType::kSigmoidNorm, DpoLossType::kRobust}) {
      EXPECT_NEAR(dpo_loss({type, 0.1, epsilon}, same, same, lengths).loss, std::log(2), 1e-15);
    }
  }
  EXPECT_EQ(dpo_loss({DpoLossType::kHinge, 0.1}, same, same, lengths).loss, 1);
  EXPECT_NEAR(dpo_loss({DpoLossType::kIpo, 0.1}, same, same, lengths).loss, 25, 1e-12);
  EXPECT_EQ(dpo_loss({}, same, same, lengths).margin(), 0);
}

TEST(DpoLoss, OfAPairByHand) {
  // Log-ratios of 1 and -2, so that beta d is 1.5.
  const DpoLoss loss = dpo_loss({DpoLossType::kSigmoid, 0.5}, {-3, -9}, {-4, -7}, {2, 4});
  EXPECT_NEAR(loss.loss, std::log1p(std::exp(-1.5)), 1e-15);
  EXPECT_NEAR(loss.slopes.chosen, -0.5 / (1 + std::exp(1.5)), 1e-15);
  EXPECT_EQ(loss.chosen_reward, 0.5);
  EXPECT_EQ(loss.rejected_reward, -1);
  EXPECT_EQ(loss.margin(), 1.5);
  // Per token they are 1/2 and -1/2.
  EXPECT_NEAR(dpo_loss({DpoLossType::kIpo, 0.5}, {-3, -9}, {-4, -7}, {2, 4}).loss, 0, 1e-15);
}

TEST(DpoLoss, SlopesAreFiniteDifferences) {
  const PairLogprobs policy{-3.1, -7.7};
  const PairLogprobs reference{-4.2, -6.9};
  const PairLengths lengths{2, 5};
  constexpr double kStep = 1e-5;
  for (const DpoRule& rule : kDpoRules) {
    const auto loss = [&](double chosen, double rejected) {
      return dpo_loss(rule, {policy.chosen + chosen, policy.rejected + rejected}, reference, lengths).loss;
    };
    const PairLogprobs slopes = dpo_loss(rule, policy, reference, lengths).slopes;
    EXPECT_NEAR(slopes.chosen, (loss(kStep, 0) - loss(-kStep, 0)) / (2 * kStep), 1e-8) << static_cast<int>(rule.type);
    EXPECT_NEAR(slopes.rejected, (loss(0, kStep) - loss(0, -kStep)) / (2 * kStep), 1e-8) << static_cast<int>(rule.type);
    EXPECT_LT(slopes.chosen, 0) << "a more probable chosen completion is a smaller loss";
    EXPECT_GT(slopes.rejected, 0);
  }
}

TEST(DpoLoss, AnOffsetIsAsMuchLessOfTheMargin) {
  // MODPO's loss (Zhou et al. 2023) for a dimension of weight 1/4, where the others' rewards have the weighted difference 0.6.
  const double weight = 0.25;
  const double beta = 0.1;
  const double d = 3;
  const DpoLoss loss = dpo_loss({DpoLossType::kSigmoid, beta / weight}, {-3, -9}, {-4, -7}, {2, 4}, 0.6 / weight);
  EXPECT_NEAR(loss.loss, std::log1p(std::exp(-(beta * d - 0.6) / weight)), 1e-15);
  EXPECT_NEAR(dpo_loss({DpoLossType::kHinge, 0.5}, {-3, -9}, {-4, -7}, {2, 4}, 0.75).loss, 1 - (1.5 - 0.75), 1e-15);
  // The loss with an offset is that of a policy that is less ahead by it.
  for (const auto type : {DpoLossType::kSigmoid, DpoLossType::kHinge, DpoLossType::kRobust}) {
    const DpoRule rule{type, 0.5, type == DpoLossType::kHinge ? 0 : 0.1};
    const DpoLoss offset = dpo_loss(rule, {-3, -9}, {-4, -7}, {2, 4}, 0.7);
    const DpoLoss behind = dpo_loss(rule, {-3 - 0.7 / 0.5, -9}, {-4, -7}, {2, 4});
    EXPECT_NEAR(offset.loss, behind.loss, 1e-14);
    EXPECT_NEAR(offset.slopes.chosen, behind.slopes.chosen, 1e-14);
    EXPECT_NEAR(offset.slopes.rejected, behind.slopes.rejected, 1e-14);
    EXPECT_EQ(offset.margin(), 1.5);
  }
}

TEST(DpoLoss, ATurnedPairHasTheNegativeMargin) {
  for (const DpoRule& rule : kDpoRules) {
    const DpoLoss pair = dpo_loss(rule, {-3, -9}, {-4, -7}, {2, 4});
    const DpoLoss turned = dpo_loss(rule, {-9, -3}, {-7, -4}, {4, 2});
    EXPECT_EQ(turned.margin(), -pair.margin());
    EXPECT_EQ(turned.chosen_reward, pair.rejected_reward);
    EXPECT_GT(turned.loss, pair.loss);
  }
}

TEST(DpoLoss, OfRobustPairsIsUnbiasedUnderTurnedLabels) {
  constexpr double kTurned = 0.2;
  const auto loss = [](double epsilon, bool turned) {
    const DpoRule rule{epsilon > 0 ? DpoLossType::kRobust : DpoLossType::kSigmoid, 0.5, epsilon};
    return turned ? dpo_loss(rule, {-9, -3}, {-7, -4}, {4, 2}).loss : dpo_loss(rule, {-3, -9}, {-4, -7}, {2, 4}).loss;
  };
  EXPECT_NEAR((1 - kTurned) * loss(kTurned, false) + kTurned * loss(kTurned, true), loss(0, false), 1e-12);
}

TEST(DpoLoss, DoesNotOverflow) {
  for (const double far : {1e4, -1e4}) {
    const DpoLoss loss = dpo_loss({DpoLossType::kSigmoid, 1}, {far, 0}, {0, 0}, {1, 1});
    EXPECT_EQ(loss.loss, far > 0 ? 0 : 1e4);
    EXPECT_EQ(loss.slopes.chosen, far > 0 ? 0 : -1);
  }
}

TEST(DpoLoss, OptionsAreNamedAsInTrl) {
  EXPECT_EQ(DpoRuleOptions{.loss_type = "ipo"}.rule().type, DpoLossType::kIpo);
  EXPECT_EQ(DpoRuleOptions{.loss_type = "sigmoid_norm"}.rule().type, DpoLossType::kSigmoidNorm);
  EXPECT_EQ((DpoRuleOptions{.loss_type = "robust", .label_smoothing = 0.1}.rule().label_smoothing), 0.1);
  EXPECT_THAT([] { DpoRuleOptions{.loss_type = "kto"}.rule(); }, ThrowsMessage<Error>(HasSubstr("robust, found 'kto'")));
  for (const char* type : {"hinge", "ipo"}) {
    EXPECT_THAT(([&] { DpoRuleOptions{.loss_type = type, .label_smoothing = 0.1}.rule(); }),
                ThrowsMessage<Error>(HasSubstr("label_smoothing: expected 0 with the loss")));
  }
}

}  // namespace
}  // namespace paretofl
