#include <gmock/gmock.h>

#include <numeric>
#include <vector>

#include "paretofl/alignment/dpo_loss.h"

// Losses, gradients and implicit rewards of the TRL library 1.16.0 on the same numbers; benchmarks/trl_dpo_losses.py prints them.
// The two conservative rows are mixtures of TRL's values for the pairs and for the pairs turned round.
// The two conservative rows are mixtures of TRL's values for the pairs and for the pairs turned round.
namespace paretofl {
namespace {

constexpr double kTrlDpoTolerance = 1e-10;

struct TrlDpo {
  const char* setting;
  DpoRule rule;
  double loss = 0;
  std::vector<double> slopes;  // of the chosen completions, then of the rejected ones
  double chosen_reward = 0;
  double rejected_reward = 0;
};

std::vector<TrlDpo> trl_dpo_losses() {
  return {
      {"sigmoid",
       {DpoLossType::kSigmoid, 0.1},
       0.715043827129,
       {-0.0120002664961, -0.013124479687, -0.0116886423403, -0.0141159072951, 0.0120002664961, 0.013124479687, 0.0116886423403,
        0.0141159072951},
       0.0075,
       0.045},
      {"sigmoid, large beta",
       {DpoLossType::kSigmoid, 2.0},
       1.89699371195,
       {-0.083990807433, -0.440398538989, -0.0345692101717, -0.49725685055, 0.083990807433, 0.440398538989, 0.0345692101717, 0.49725685055},
       0.15,
       0.9},
      {"conservative",
       {DpoLossType::kSigmoid, 0.5, 0.2},
       0.824539006529,
       {-0.0251640424859, -0.0528074164002, -0.0178736921658, -0.0732293728803, 0.0251640424859, 0.0528074164002, 0.0178736921658,
        0.0732293728803},
       0.0375,
       0.225},
      {"sigmoid_norm",
       {DpoLossType::kSigmoidNorm, 0.5},
       0.840492830433,
       {-0.0190150546985, -0.0710399979348, -0.0262161059487, -0.0232983316915, 0.0285225820477, 0.0177599994837, 0.0262161059487,
        0.0931933267658},
       0.0375,
       0.225},
      {"conservative sigmoid_norm",
       {DpoLossType::kSigmoidNorm, 0.5, 0.2},
       0.797992830433,
       {-0.0106817213651, -0.0460399979348, -0.0137161059487, -0.0170483316915, 0.0160225820477, 0.0115099994837, 0.0137161059487,
        0.0681933267658},
       0.0375,
       0.225},
      {"hinge", {DpoLossType::kHinge, 0.9}, 1.38, {-0.225, -0.225, 0, -0.225, 0.225, 0.225, 0, 0.225}, 0.0675, 0.405},
      {"ipo",
       {DpoLossType::kIpo, 0.3},
       5.56194444444,
       {-0.219444444444, -1.10833333333, -0.254166666667, -0.477083333333, 0.329166666667, 0.277083333333, 0.254166666667, 1.90833333333},
       0.0225,
       0.135},
      {"robust",
       {DpoLossType::kRobust, 0.5, 0.2},
       0.924539006529,
       {-0.0918307091526, -0.119474083067, -0.0845403588325, -0.139896039547, 0.0918307091526, 0.119474083067, 0.0845403588325,
        0.139896039547},
       0.0375,
       0.225}};
}

TEST(DpoLoss, IsThatOfTrlWithItsGradient) {
  using Tokens = std::vector<std::vector<double>>;
  const Tokens chosen = {{-0.9, -1.5, -0.4}, {-2.3}, {-0.3, -2.1}, {-0.2, -1.1, -0.6, -0.8}};
  const Tokens rejected = {{-1.9, -0.7}, {-0.5, -1.2, -0.1, -2.0}, {-1.4, -0.6}, {-1.7}};
  const Tokens reference_chosen = {{-1.1, -1.8, -0.2}, {-1.9}, {-0.8, -2.6}, {-0.1, -0.9, -0.4, -0.7}};
  const Tokens reference_rejected = {{-1.2, -0.9}, {-0.9, -1.0, -0.3, -2.2}, {-1.5, -0.2}, {-3.7}};
  const auto sum = [](const std::vector<double>& tokens) { return std::accumulate(tokens.begin(), tokens.end(), 0.0); };
  for (const TrlDpo& expected : trl_dpo_losses()) {
    double loss = 0;
    double chosen_reward = 0;
    double rejected_reward = 0;
    std::vector<double> slopes(8);
    for (std::size_t i = 0; i < 4; ++i) {
      const DpoLoss found = dpo_loss(expected.rule, {sum(chosen[i]), sum(rejected[i])},
                                     {sum(reference_chosen[i]), sum(reference_rejected[i])}, {chosen[i].size(), rejected[i].size()});
      loss += found.loss / 4;
      chosen_reward += found.chosen_reward / 4;
      rejected_reward += found.rejected_reward / 4;
      slopes[i] = found.slopes.chosen / 4;
      slopes[4 + i] = found.slopes.rejected / 4;
    }
    EXPECT_NEAR(loss, expected.loss, kTrlDpoTolerance) << expected.setting;
    EXPECT_NEAR(chosen_reward, expected.chosen_reward, kTrlDpoTolerance) << expected.setting;
    EXPECT_NEAR(rejected_reward, expected.rejected_reward, kTrlDpoTolerance) << expected.setting;
    EXPECT_THAT(slopes, testing::Pointwise(testing::DoubleNear(kTrlDpoTolerance), expected.slopes)) << expected.setting;
  }
}

}  // namespace
}  // namespace paretofl
