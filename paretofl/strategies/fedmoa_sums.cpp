#include "paretofl/strategies/fedmoa_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/strategies/fedmoa_messages.h"

namespace paretofl::fedmoa {
namespace {

constexpr std::size_t kBins = 1024;
constexpr double kNarrow = 8;  // bins of s_m in which exp(s_m - its upper end) is far from what fixed point rounds to zero

// Figures of the first sum: by cluster and bin [M, kBins], which is also that of the histograms after it, and the others [M].
constexpr const char* kHistogram = "histogram";
constexpr const char* kLambda = "lambda";
constexpr const char* kRewardSum = "reward";
constexpr const char* kHasReward = "has_reward";
// With the numerators: [M], [M], and by cluster and reward [M, M].
constexpr const char* kNumerator = "numerator";
constexpr const char* kSamples = "samples";
constexpr const char* kWeighted = "weighted_weight";
constexpr const char* kLacking = "lacking";
// In requests, [M].
constexpr const char* kLow = "low";      // of a histogram
constexpr const char* kWidth = "width";  // of its bins
constexpr const char* kLargest = "largest";
constexpr const char* kDenominator = "denominator";
constexpr const char* kClusterShare = "cluster_share";

Array array_of(const std::vector<double>& values) { return Array(std::span(values)); }

/// The figures that only the record needs: lambda, and the rewards of those who have them.
Metrics recorded(const CohortMean& mean, const std::vector<std::string>& names) {
  Metrics metrics;
  std::vector<double> losses;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double having = mean.figures.at(kHasReward)[k];
    if (having <= 0) continue;
    const double reward = mean.figures.at(kRewardSum)[k] / having;
    metrics.set("reward_" + names[k], reward);
    losses.push_back(-reward);
  }
  if (losses.size() == names.size()) metrics.set("train_loss", std::move(losses));
  metrics.set("lambda", mean.figures.at(kLambda));
  return metrics;
}

/// The width of the first histogram's bins, whose range begins at 0.
double first_width(double epsilon) { return (1 + 1e-9) / epsilon / static_cast<double>(kBins); }

/// At least the largest s_m of each cluster, and less than kNarrow above it.
std::vector<double> largest_by_cluster(Round& round, CohortMean& trained, std::size_t m, double epsilon) {
  std::vector<double> low(m), width(m, first_width(epsilon));
  const std::map<std::string, std::size_t> figures{{kHistogram, m * kBins}};
  for (;;) {
    const std::vector<double>& counts = trained.figures.at(kHistogram);
    for (std::size_t c = 0; c < m; ++c) {
      std::size_t top = kBins;
      while (top > 1 && counts[c * kBins + top - 1] <= 0) --top;
      low[c] += static_cast<double>(top - 1) * width[c];
    }
    if (width[0] < kNarrow) break;
    for (double& w : width) w /= static_cast<double>(kBins);
    Request refine(kRefine);
    refine.extra.arrays.emplace(kLow, array_of(low));
    refine.extra.arrays.emplace(kWidth, array_of(width));
    CohortMean finer = round.sum(trained.cohort, refine, {.figures = figures});
    trained.cohort = std::move(finer.cohort);
    trained.figures.at(kHistogram) = std::move(finer.figures.at(kHistogram));
  }
  for (std::size_t c = 0; c < m; ++c) low[c] += width[c];
  return low;
}

}  // namespace

SummedRound sum_round(Round& round, const Cohort& cohort, Request train, const std::vector<std::string>& names, std::size_t size,
                      double epsilon, bool by_accuracy) {
  const std::size_t m = names.size();
  train.extra.scalars.emplace(kOnSums, 1);
  std::map<std::string, std::size_t> figures{{kLambda, m}, {kRewardSum, m}, {kHasReward, m}};
  if (by_accuracy) figures.emplace(kHistogram, m * kBins);
  CohortMean trained = round.sum(cohort, train, {.by_samples = !by_accuracy, .update = by_accuracy ? 0 : size, .figures = figures});
  SummedRound summed;
  summed.metrics = recorded(trained, names);
  if (!by_accuracy) {
    summed.update = std::move(trained.update);
    return summed;
  }

  Request weigh(kWeigh);
  weigh.extra.arrays.emplace(kLargest, array_of(largest_by_cluster(round, trained, m, epsilon)));
  const CohortMean weighed =
      round.sum(trained.cohort, weigh, {.figures = {{kNumerator, m}, {kSamples, m}, {kWeighted, m * m}, {kLacking, m * m}}});
  std::vector<double> denominators = weighed.figures.at(kNumerator);
  std::vector<double> shares = weighed.figures.at(kSamples);
  double samples = 0;
  for (const double of_cluster : shares) samples += of_cluster;
  for (std::size_t c = 0; c < m; ++c) {
    shares[c] /= samples;
    denominators[c] *= weighed.weight;
    if (shares[c] <= 0) continue;
    if (denominators[c] <= 0) {
      throw RoundAbandoned(
          fmt::format("round {}: expected a client of the task of '{}' that counts in a sum, found none left", round.number(), names[c]));
    }
    NamedWeights& weights = summed.weights[names[c]];
    for (std::size_t k = 0; k < m; ++k) {
      if (weighed.figures.at(kLacking)[c * m + k] > 0) continue;
      weights.emplace(names[k], std::max(0.0, weighed.figures.at(kWeighted)[c * m + k] * weighed.weight / denominators[c]));
    }
  }

  Request share(kShare);
  share.extra.arrays.emplace(kDenominator, array_of(denominators));
  share.extra.arrays.emplace(kClusterShare, array_of(shares));
  CohortMean shared = round.sum(weighed.cohort, share, {.update = size, .figures = {{kShare, 1}}});
  const double sum = shared.figures.at(kShare)[0];  // below 1 / n where clients have fallen silent in between
  if (sum <= 0) throw RoundAbandoned(fmt::format("round {}: expected clients that have a share, found none left", round.number()));
  for (float& x : shared.update) x = static_cast<float>(x / sum);
  summed.update = std::move(shared.update);
  return summed;
}

std::size_t SummedAnswers::index_of(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  expect(found != names_.end(), "fedmoa: expected one of the problem's rewards, found '{}'", name);
  return static_cast<std::size_t>(found - names_.begin());
}

Array SummedAnswers::histogram(double low, double width) const {
  expect(std::isfinite(low) && std::isfinite(width) && width > 0, "fedmoa: expected a histogram with bins of some width, found {}", width);
  std::vector<double> bins(names_.size() * kBins);
  const double bin = std::floor((kept_.s - low) / width);
  if (bin >= 0 && bin < static_cast<double>(kBins)) bins[kept_.cluster * kBins + static_cast<std::size_t>(bin)] = 1;
  return array_of(bins);
}

Array SummedAnswers::at_cluster(double number) const {
  std::vector<double> numbers(names_.size());
  numbers[kept_.cluster] = number;
  return array_of(numbers);
}

void SummedAnswers::expect_kept(const Request& request) const {
  expect(kept_.round == request.round && !kept_.update.empty(), "{}: expected training earlier in round {}, found none", request.verb,
         request.round);
}

Reply SummedAnswers::trained(Reply answer, const RewardReport& report, const Request& request, bool by_accuracy) {
  const auto accuracy = report.weights.find(report.accuracy);
  expect(accuracy != report.weights.end(), "fedmoa: expected a weight of the accuracy '{}', found none", report.accuracy);
  kept_ = {.round = request.round, .update = {}, .report = report, .cluster = index_of(report.accuracy)};
  kept_.s = 1 / (accuracy->second + epsilon_);
  Reply reply;
  reply.num_samples = answer.num_samples;
  (by_accuracy ? kept_.update : reply.update) = std::move(answer.update);
  std::vector<double> lambda(names_.size()), reward(names_.size()), has(names_.size());
  for (const auto& [name, weight] : report.weights) lambda[index_of(name)] = weight;
  for (const auto& [name, value] : answer.extra.record(kReward).scalars) {
    reward[index_of(name)] = value;
    has[index_of(name)] = 1;
  }
  if (by_accuracy) reply.extra.arrays.emplace(kHistogram, histogram(0, first_width(epsilon_)));
  reply.extra.arrays.emplace(kLambda, array_of(lambda));
  reply.extra.arrays.emplace(kRewardSum, array_of(reward));
  reply.extra.arrays.emplace(kHasReward, array_of(has));
  return reply;
}

Reply SummedAnswers::refine(const Request& request) const {
  expect_kept(request);
  Reply reply;
  reply.extra.arrays.emplace(kHistogram, histogram(double_array(request.extra, kLow, names_.size())[kept_.cluster],
                                                   double_array(request.extra, kWidth, names_.size())[kept_.cluster]));
  return reply;
}

Reply SummedAnswers::weigh(const Request& request) {
  expect_kept(request);
  const std::size_t m = names_.size();
  kept_.numerator = std::exp(kept_.s - double_array(request.extra, kLargest, m)[kept_.cluster]);
  std::vector<double> weighted(m * m), lacking(m * m);
  for (std::size_t k = 0; k < m; ++k) {
    const auto weight = kept_.report.weights.find(names_[k]);
    if (weight == kept_.report.weights.end()) {
      lacking[kept_.cluster * m + k] = 1;
    } else {
      weighted[kept_.cluster * m + k] = kept_.numerator * weight->second;
    }
  }
  Reply reply;
  reply.extra.arrays.emplace(kNumerator, at_cluster(kept_.numerator));
  reply.extra.arrays.emplace(kSamples, at_cluster(kept_.report.num_samples));
  reply.extra.arrays.emplace(kWeighted, array_of(weighted));
  reply.extra.arrays.emplace(kLacking, array_of(lacking));
  return reply;
}

Reply SummedAnswers::share(const Request& request) {
  expect_kept(request);
  const double denominator = double_array(request.extra, kDenominator, names_.size())[kept_.cluster];
  expect(denominator > 0, "share: expected a positive denominator, found {}", denominator);
  const double share = kept_.numerator / denominator * double_array(request.extra, kClusterShare, names_.size())[kept_.cluster];
  Reply reply;
  reply.update = std::move(kept_.update);
  for (float& x : reply.update) x = static_cast<float>(x * share);
  reply.extra.arrays.emplace(kShare, array_of({share}));
  clear();
  return reply;
}

}  // namespace paretofl::fedmoa
