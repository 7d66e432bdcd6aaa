#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/core/metrics.h"
#include "paretofl/core/round.h"

/// FedMOA's round where the server may see sums over the cohort alone. Clusters are those of the accuracy reward, of which the server knows
/// all names, and every client is in one of M, at which its numbers stand among zeros. The sums: histograms of s_m = 1 / (w_m + epsilon) in
/// each cluster, finer and finer, until the largest is known closely enough; the numerators exp(s_m - that) of eq. 11, alone and times the
/// clients' weights, which gives eqs. 11 and 12; and the updates times the clients' shares, which is eq. 13.
namespace paretofl::fedmoa {

/// Scalar in a request to train: the answer is to be numbers for sums.
inline constexpr const char* kOnSums = "on_sums";
inline constexpr const char* kRefine = "refine";  ///< verb of a finer histogram
inline constexpr const char* kWeigh = "weigh";    ///< of the numerators
inline constexpr const char* kShare = "share";    ///< of the updates

/// What a round leaves at the server.
struct SummedRound {
  std::vector<float> update;                                 ///< [d], by the clients' shares
  std::map<std::string, NamedWeights, std::less<>> weights;  ///< of each cluster's rewards that all its clients have
  Metrics metrics;
};

/// Server half, after `train` with kOnSums. Without `by_accuracy` a client's share is that of its examples, in one sum. Throws as
/// Round::sum does.
SummedRound sum_round(Round& round, const Cohort& cohort, Request train, const std::vector<std::string>& reward_names, std::size_t size,
                      double epsilon, bool by_accuracy);

/// A client's half: what it keeps of its training until it has answered all sums of a round.
class SummedAnswers {
 public:
  SummedAnswers(std::vector<std::string> reward_names, double epsilon) : names_(std::move(reward_names)), epsilon_(epsilon) {}

  /// In place of the answer to `train`, numbers for the first sum, with the first histogram; `report` is what the answer says. Throws Error
  /// on rewards that are not among the names.
  Reply trained(Reply answer, const RewardReport& report, const Request& request, bool by_accuracy);
  /// The answers to the other verbs. Throws Error where they do not follow on trained() in the same round.
  Reply refine(const Request& request) const;
  Reply weigh(const Request& request);
  Reply share(const Request& request);

  void clear() { kept_ = {}; }

 private:
  std::size_t index_of(const std::string& name) const;
  /// [M, kBins]: 1 in the bin of s_m, where it lies in the range from `low` on of so many bins of this width.
  Array histogram(double low, double width) const;
  /// [M]: the number at this client's cluster, and zeros.
  Array at_cluster(double number) const;
  void expect_kept(const Request& request) const;

  struct Kept {
    std::uint32_t round = 0;
    std::vector<float> update;
    RewardReport report;
    std::size_t cluster = 0;
    double s = 0;
    double numerator = 0;
  };

  std::vector<std::string> names_;  ///< [M]
  double epsilon_;
  Kept kept_;
};

}  // namespace paretofl::fedmoa
