#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// Which samples each client holds; every client holds the same number.
struct Partition {
  std::size_t samples_per_client = 0;
  std::vector<std::uint32_t> samples;  ///< [clients, samples_per_client]

  std::size_t clients() const { return samples_per_client == 0 ? 0 : samples.size() / samples_per_client; }
  std::span<const std::uint32_t> client(std::size_t id) const {
    return std::span(samples).subspan(id * samples_per_client, samples_per_client);
  }
};

struct DirichletSplit {
  std::size_t clients = 100;
  std::size_t samples_per_client = 600;
  double alpha = 0.3;  ///< concentration: small gives each client few labels, large gives all of them the same mixture
};

/// Splits samples among clients by label, as FedCMOO's experiments do (its appendix D.2). Client after
/// client draws p ~ Dirichlet(alpha, ..., alpha) over the labels that occur and takes floor(p_k * n) samples of
/// each label k; the shortfall is filled with a uniform draw from all samples not in use.
///
/// What the paper leaves open: a label's samples are a shuffled deck. When a client asks for more than is
/// left, the whole label is shuffled into a new deck, so its samples are in use a second time. A client
/// that asks for more than the label has gets all of them and the rest as shortfall. When all decks run
/// out during a fill, all are renewed. A client never holds one sample twice.
///
/// `labels` [N] are any numbers, such as joint_labels(). Throws Error unless there is a client, alpha is
/// positive and finite, and 1 <= n <= N.
Partition dirichlet_partition(std::span<const std::uint32_t> labels, const DirichletSplit& split, Random random);

}  // namespace paretofl
