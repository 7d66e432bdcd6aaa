#include <gmock/gmock.h>

#include <vector>

#include "paretofl/alignment/group_advantages.h"
#include "paretofl/alignment/grpo_loss.h"

// Losses, gradients and advantages of the TRL library 1.16.0 on the same numbers; benchmarks/trl_grpo_losses.py prints them.
namespace paretofl {
namespace {

constexpr double kTrlTolerance = 1e-8;

struct TrlLoss {
  const char* setting;
  GrpoRule rule;
  bool second_masked = false;
  double loss = 0;
  std::vector<double> derivatives;
};

std::vector<TrlLoss> trl_losses() {
  return {
      {"loss_type=grpo",
       {.type = LossType::kGrpo},
       false,
       -0.2454027529,
       {-0.1381463648, -0.08379000575, 0, 0, 0.1221402758, 0, 0.03775786327, 0.03091352383, 0.02072195471, 0}},
      {"loss_type=grpo beta=0.04",
       {.type = LossType::kGrpo, .kl_coefficient = 0.04},
       false,
       -0.2423027262,
       {-0.1372824255, -0.08414057548, 0.001311564468, -0.006127704642, 0.1226160887, -0.001229561744, 0.03840581771, 0.03065059653,
        0.02117512783, 0.0009516258196}},
      {"loss_type=dr_grpo",
       {.type = LossType::kDrGrpo},
       false,
       -0.07899253212,
       {-0.06907318238, -0.04189500288, 0, 0, 0.04071342527, 0, 0.02517190884, 0.02060901588, 0.01381463648, 0}},
      {"loss_type=dapo beta=0.04",
       {.type = LossType::kDapo, .kl_coefficient = 0.04},
       false,
       -0.1866049565,
       {-0.1647389106, -0.1009686906, 0.001573877361, -0.004902163714, 0.09809287098, -0.001967298791, 0.06144930834, 0.04904095445,
        0.03388020453, 0.0003806503279}},
      {"loss_type=bnpo",
       {.type = LossType::kBnpo},
       false,
       -0.1895820771,
       {-0.1657756377, -0.1005480069, 0, 0, 0.09771222065, 0, 0.06041258122, 0.04946163812, 0.03315512754, 0}},
      {"loss_type=cispo epsilon_high=1.4 beta=0.04",
       {.type = LossType::kCispo, .high = 1.4, .kl_coefficient = 0.04},
       false,
       0.2539386177,
       {-0.1647389106, -0.1009686906, -0.2084261226, 0.03482466059, 0.09809287098, 0.00801883372, 0.04303672712, 0.04157931633,
        0.03388020453, -0.08361934967}},
      {"loss_type=grpo epsilon_high=0.6",
       {.type = LossType::kGrpo, .high = 0.6},
       false,
       -0.3554027529,
       {-0.1381463648, -0.08379000575, 0, 0, 0.1221402758, 0, 0.03775786327, 0.03091352383, 0.02072195471, 0}},
      {"loss_type=dapo delta=1.5",
       {.type = LossType::kDapo, .delta = 1.5},
       false,
       -0.2094562964,
       {-0.1657756377, -0.1005480069, 0, 0, 0.09771222065, 0, 0, 0, 0.03315512754, 0}},
      {"loss_type=grpo importance_sampling_level=sequence",
       {.type = LossType::kGrpo, .level = RatioLevel::kSequence},
       false,
       -0.3911546678,
       {0, 0, 0, 0, 0, 0.01971133306, 0.01971133306, 0.01971133306, 0.01971133306, 0}},
      {"loss_type=dapo importance_sampling_level=sequence beta=0.04",
       {.type = LossType::kDapo, .level = RatioLevel::kSequence, .kl_coefficient = 0.04},
       false,
       -0.3548703478,
       {0.001036727117, -0.0004206836723, 0.001573877361, -0.004902163714, 0.0003806503279, 0.0295708341, 0.03257486001, 0.03111744922,
        0.03226320988, 0.0003806503279}},
      {"loss_type=cispo importance_sampling_level=sequence epsilon_high=1.1",
       {.type = LossType::kCispo, .level = RatioLevel::kSequence, .high = 1.1},
       false,
       0.2515785306,
       {-0.165, -0.165, -0.165, 0.06230406265, 0.06230406265, 0.03153813289, 0.03153813289, 0.03153813289, 0.03153813289, -0.066}},
      {"loss_type=grpo masked=True",
       {.type = LossType::kGrpo},
       true,
       -0.4475430287,
       {-0.1381463648, -0.08379000575, 0, 0, 0, 0, 0.03775786327, 0.03091352383, 0.02072195471, 0}},
      {"loss_type=dapo masked=True beta=0.04",
       {.type = LossType::kDapo, .kl_coefficient = 0.04},
       true,
       -0.4375483631,
       {-0.2059236382, -0.1262108632, 0.001967346701, 0, 0, -0.002459123488, 0.07681163543, 0.06130119306, 0.04235025566, 0.0004758129098}},
      {"loss_type=dr_grpo masked=True",
       {.type = LossType::kDrGrpo},
       true,
       -0.1463726241,
       {-0.06907318238, -0.04189500288, 0, 0, 0, 0, 0.02517190884, 0.02060901588, 0.01381463648, 0}},
  };
}

TEST(GrpoLoss, IsThatOfTrlWithItsGradient) {
  const std::vector<double> logprobs = {-0.9, -1.5, -0.4, -1.9, -0.3, -2.1, -0.2, -1.1, -0.6, -0.8};
  const std::vector<double> old = {-1.0, -1.1, -1.3, -1.2, -0.5, -1.0, -0.9, -1.6, -0.7, -1.5};
  const std::vector<double> reference = {-1.2, -1.4, -0.9, -1.1, -0.4, -1.7, -0.5, -1.0, -0.8, -0.9};
  const std::vector<std::size_t> lengths = {3, 2, 4, 1};
  const std::vector<double> advantages = {1.5, -0.8, -0.3, 0.6};
  for (const TrlLoss& expected : trl_losses()) {
    const std::vector<double> shares = token_shares(expected.rule.type, lengths, {true, !expected.second_masked, true, true}, 6);
    std::vector<double> derivatives(10, 7.0);
    const GrpoLoss found = grpo_loss({logprobs, old, reference, lengths, shares}, advantages, expected.rule, derivatives);
    EXPECT_NEAR(found.loss, expected.loss, kTrlTolerance) << expected.setting;
    EXPECT_THAT(derivatives, testing::Pointwise(testing::DoubleNear(kTrlTolerance), expected.derivatives)) << expected.setting;
  }
}

TEST(GroupAdvantages, AreThoseOfTrl) {
  const std::vector<double> rewards = {1, 0.2, 0, 0.9, 0, 0.4, 1, 0.5, 1, 0.1, 0, 0.3};
  const auto found = [&](AdvantageRule rule) {
    rule.unbiased = true;
    return group_advantages(rewards, std::vector{0.75, 0.25}, 3, rule).advantages;
  };
  // TRL takes the ratio of n to n - 1 in float32.
  const auto near = [](std::vector<double> expected) { return testing::Pointwise(testing::DoubleNear(1e-7), expected); };
  EXPECT_THAT(found({}), near({1.13809935, -0.4016821236, -0.7364172266, 0.6880893431, 0.4587262287, -1.146815572}));
  EXPECT_THAT(found({.scale = RewardScale::kBatch}),
              near({1.120651208, -0.3955239559, -0.7251272524, 0.7910479117, 0.5273652745, -1.318413186}));
  EXPECT_THAT(found({.scale = RewardScale::kNone}), near({0.425, -0.15, -0.275, 0.3, 0.2, -0.5}));
  EXPECT_THAT(found({.mode = AdvantageMode::kNormalizeThenSum}),
              near({1.050968873, -0.2486600669, -0.8023088062, 1.090731995, 0.2924261214, -1.383158117}));
}

}  // namespace
}  // namespace paretofl
