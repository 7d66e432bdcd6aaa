#include "paretofl/alignment/dpo_loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

const std::vector<std::string> kNames{"sigmoid", "sigmoid_norm", "hinge", "ipo", "robust"};

/// A loss of the difference d of log-ratios, and its derivative.
struct Slope {
  double value = 0;
  double derivative = 0;
};

/// -log sigmoid(x), without overflow.
Slope log_loss(double x) {
  const double e = std::exp(-std::abs(x));
  return {std::max(-x, 0.0) + std::log1p(e), -(x >= 0 ? e : 1.0) / (1 + e)};
}

/// (wanted loss(x) + other loss(-x)) for x = beta d - offset, as a function of d.
Slope smoothed(double beta, double d, double offset, double wanted, double other) {
  const Slope right = log_loss(beta * d - offset);
  const Slope wrong = log_loss(offset - beta * d);
  return {wanted * right.value + other * wrong.value, beta * (wanted * right.derivative - other * wrong.derivative)};
}

Slope loss_of(const DpoRule& rule, double d, double offset) {
  const double epsilon = rule.label_smoothing;
  switch (rule.type) {
    case DpoLossType::kHinge: {
      const double short_by = 1 - (rule.beta * d - offset);
      return {std::max(short_by, 0.0), short_by > 0 ? -rule.beta : 0.0};
    }
    case DpoLossType::kIpo: {
      const double beyond = d - 1 / (2 * rule.beta);
      return {beyond * beyond, 2 * beyond};
    }
    case DpoLossType::kRobust:
      return smoothed(rule.beta, d, offset, (1 - epsilon) / (1 - 2 * epsilon), -epsilon / (1 - 2 * epsilon));
    case DpoLossType::kSigmoid:
    case DpoLossType::kSigmoidNorm:
      break;
  }
  return smoothed(rule.beta, d, offset, 1 - epsilon, epsilon);
}

}  // namespace

void DpoRuleOptions::describe(OptionVisitor& visit) {
  visit.choice("loss_type", loss_type, kNames,
               "the loss of a pair: sigmoid, DPO; sigmoid_norm, the same of log-ratios per token; hinge, SLiC; ipo, IPO; robust, DPO "
               "corrected for a known share of wrong labels");
  visit.real("beta", beta, 1e-6, kInfinity,
             "how strongly the model is held to the reference: the factor of log-ratios in implicit rewards; of ipo its tau");
  visit.real("label_smoothing", label_smoothing, 0, 0.499,
             "share of pairs taken to be labelled the wrong way round, of sigmoid and sigmoid_norm (conservative DPO) and robust");
}

DpoRule DpoRuleOptions::rule() const {
  const auto found = std::find(kNames.begin(), kNames.end(), loss_type);
  expect(found != kNames.end(), "loss_type: expected sigmoid, sigmoid_norm, hinge, ipo or robust, found '{}'", loss_type);
  const auto type = static_cast<DpoLossType>(found - kNames.begin());
  expect(label_smoothing == 0 || (type != DpoLossType::kHinge && type != DpoLossType::kIpo),
         "label_smoothing: expected 0 with the loss {}, found {}", loss_type, label_smoothing);
  return {type, beta, label_smoothing};
}

DpoLoss dpo_loss(const DpoRule& rule, const PairLogprobs& policy, const PairLogprobs& reference, const PairLengths& lengths,
                 double offset) {
  const double chosen = policy.chosen - reference.chosen;
  const double rejected = policy.rejected - reference.rejected;
  const bool per_token = rule.type == DpoLossType::kSigmoidNorm || rule.type == DpoLossType::kIpo;
  const double chosen_unit = per_token ? static_cast<double>(lengths.chosen) : 1;
  const double rejected_unit = per_token ? static_cast<double>(lengths.rejected) : 1;
  const Slope loss = loss_of(rule, chosen / chosen_unit - rejected / rejected_unit, offset);
  return {.loss = loss.value,
          .slopes = {loss.derivative / chosen_unit, -loss.derivative / rejected_unit},
          .chosen_reward = rule.beta * chosen,
          .rejected_reward = rule.beta * rejected};
}

}  // namespace paretofl
