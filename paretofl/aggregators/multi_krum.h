#pragma once

#include "paretofl/aggregators/aggregator.h"

namespace paretofl {

struct MultiKrumOptions {
  std::int64_t bad_clients = 1;
  std::int64_t chosen = 0;

  void describe(OptionVisitor& visit) {
    visit.integer("bad_clients", bad_clients, 0, kMaxInt, "bad clients per round that it is to stand (f); needs 2 f + 3 clients");
    visit.integer("chosen", chosen, 0, kMaxInt, "clients that are averaged (m), at most n - f; 0: n - f of n");
  }
};

/// Multi-Krum (Blanchard, El Mhamdi, Guerraoui and Stainer 2017, "Machine Learning with Adversaries"): a client's score is the sum of its
/// squared distances to the n - f - 2 nearest others; the mean of the m clients with the smallest scores, each counting by its share among
/// them. Of equal scores, the client that comes first is preferred. With n >= 2 f + 3 the result lies among vectors that n - f - 2 others
/// are near.
class MultiKrum : public Aggregator {
 public:
  explicit MultiKrum(MultiKrumOptions options) : options_(options) {}
  std::vector<float> combine(Vectors vectors, std::span<const double> shares) const override;
  std::size_t fewest() const override;

 private:
  MultiKrumOptions options_;
};

}  // namespace paretofl
