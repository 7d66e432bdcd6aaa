#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paretofl {

/// Warns, once, where weights of rewards that should adapt do not: a run then looks like one with adaptive weights and is none.
class UnmovedWeights {
 public:
  /// What a client's weights did in a round.
  struct Client {
    std::vector<double> start;  ///< [K], in some order
    std::vector<double> end;    ///< [K], in some order
    std::vector<double> hypergradients;
  };

  /// `frozen` says why the weights can't move, and is empty where they can; with `judges` the first round is looked at that has a client
  /// with several rewards.
  UnmovedWeights(std::string frozen, bool judges) : frozen_(std::move(frozen)), judges_(judges) {}

  void before_round();
  /// Whether after_round() would look at a round.
  bool judges() const { return judges_; }
  /// Warns where no client's weights moved by 1e-4 or more, with the reason. Weights are compared in ascending order, as which of them is
  /// whose reward may be unknown: that never makes a difference larger. A client with a single reward does not count. `reach` is by how
  /// much a mean hypergradient of 1 moves a weight in a round before the projection: the rate times the steps that have one before them.
  void after_round(std::uint32_t round, std::vector<Client> clients, double reach);
  /// A run that goes on was judged when it began, and its weights may have settled.
  void resume() { judges_ = false; }

 private:
  std::string frozen_;
  bool judges_;
};

}  // namespace paretofl
