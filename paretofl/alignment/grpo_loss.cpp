#include "paretofl/alignment/grpo_loss.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

const std::vector<std::string> kLossTypes{"grpo", "dr_grpo", "dapo", "bnpo", "cispo"};
const std::vector<std::string> kRatioLevels{"token", "sequence"};

std::size_t place_of(const std::string& text, const std::vector<std::string>& names, const char* option) {
  const auto found = std::find(names.begin(), names.end(), text);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  expect(found != names.end(), "{}: expected one of {}, found '{}'", option, all, text);
  return static_cast<std::size_t>(found - names.begin());
}

/// A token's loss before its share, its derivative, and whether the ratio was clipped.
struct Surrogate {
  double value = 0;
  double slope = 0;  ///< with respect to the log-probability
  bool cut = false;
};

Surrogate surrogate_of(const GrpoRule& rule, double ratio, double advantage, double logprob) {
  if (rule.type == LossType::kCispo) {
    const double weight = std::min(ratio, rule.high) * advantage;
    return {.value = weight * logprob, .slope = weight, .cut = ratio > rule.high && advantage > 0};
  }
  const double plain = ratio * advantage;
  const double bounded = std::min(ratio, rule.delta) * advantage;
  const double value = std::min(bounded, std::clamp(ratio, 1 - rule.low, 1 + rule.high) * advantage);
  const bool cut = value < plain || (ratio > rule.delta && advantage < 0);
  return {.value = value, .slope = cut ? 0 : plain, .cut = cut};
}

}  // namespace

LossType parse_loss_type(const std::string& text) { return static_cast<LossType>(place_of(text, kLossTypes, "loss_type")); }

RatioLevel parse_ratio_level(const std::string& text) {
  return static_cast<RatioLevel>(place_of(text, kRatioLevels, "importance_sampling_level"));
}

void describe_grpo_rule(OptionVisitor& visit, std::string& loss_type, std::string& level) {
  visit.choice("loss_type", loss_type, kLossTypes,
               "how tokens add up to the loss: grpo, by completions; dr_grpo, by the longest length; dapo and bnpo, by tokens; cispo, by "
               "tokens, with clipped ratios as weights of log-probabilities");
  visit.choice("importance_sampling_level", level, kRatioLevels,
               "whether each token has its own probability ratio, or all of a completion its geometric mean (GSPO)");
}

std::vector<double> token_shares(LossType type, std::span<const std::size_t> lengths, const std::vector<bool>& counted,
                                 std::int64_t longest) {
  std::size_t tokens = 0;
  for (std::size_t b = 0; b < lengths.size(); ++b) tokens += counted[b] ? lengths[b] : 0;
  std::vector<double> shares(lengths.size());
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    if (!counted[b]) continue;
    const std::size_t by = type == LossType::kGrpo     ? lengths.size() * lengths[b]
                           : type == LossType::kDrGrpo ? lengths.size() * static_cast<std::size_t>(longest)
                                                       : tokens;
    shares[b] = 1 / static_cast<double>(by);
  }
  return shares;
}

GrpoLoss grpo_loss(const GrpoTokens& tokens, std::span<const double> advantages, const GrpoRule& rule, std::span<double> derivatives) {
  GrpoLoss result;
  std::size_t i = 0;
  for (std::size_t b = 0; b < tokens.lengths.size(); ++b) {
    const std::size_t end = i + tokens.lengths[b];
    const double share = tokens.shares[b];
    if (share == 0) {
      std::fill(derivatives.begin() + static_cast<std::ptrdiff_t>(i), derivatives.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
      i = end;
      continue;
    }
    double mean = 0;  // of the log-ratios of the sequence
    for (std::size_t t = i; t < end; ++t) mean += (tokens.logprobs[t] - tokens.old_logprobs[t]) / static_cast<double>(end - i);
    for (; i < end; ++i) {
      const double ratio = std::exp(rule.level == RatioLevel::kSequence ? mean : tokens.logprobs[i] - tokens.old_logprobs[i]);
      const Surrogate surrogate = surrogate_of(rule, ratio, advantages[b], tokens.logprobs[i]);
      result.loss -= share * surrogate.value;
      // A sequence's ratio depends on each log-probability by 1 / T, and T tokens have it: the derivative is the same.
      derivatives[i] = surrogate.cut && rule.type != LossType::kCispo ? 0 : -share * surrogate.slope;
      result.clipped += surrogate.cut ? 1 : 0;
      result.clipped_low += surrogate.cut && ratio < 1 ? 1 : 0;
      result.clipped_high += surrogate.cut && advantages[b] > 0 ? 1 : 0;
      result.log_ratio += std::abs(tokens.logprobs[i] - tokens.old_logprobs[i]);
      if (rule.kl_coefficient == 0) continue;
      const double gap = tokens.reference[i] - tokens.logprobs[i];
      const double k = std::exp(gap) - gap - 1;
      result.loss += share * rule.kl_coefficient * k;
      derivatives[i] += share * rule.kl_coefficient * (1 - std::exp(gap));
      result.kl += k;
    }
  }
  return result;
}

}  // namespace paretofl
