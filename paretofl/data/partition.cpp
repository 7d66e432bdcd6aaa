#include "paretofl/data/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// One label's samples: those before `used` are in use, the rest are the deck, in random order.
struct Deck {
  std::vector<std::uint32_t> samples;
  std::size_t used = 0;

  std::size_t left() const { return samples.size() - used; }
};

class Dealer {
 public:
  Dealer(std::span<const std::uint32_t> labels, Random random) : random_(random), holder_(labels.size(), kNobody) {
    std::map<std::uint32_t, std::size_t> position;
    for (const std::uint32_t label : labels) position.emplace(label, 0);
    std::size_t count = 0;
    for (auto& [label, index] : position) index = count++;
    decks_.resize(count);
    for (std::size_t i = 0; i < labels.size(); ++i) decks_[position.at(labels[i])].samples.push_back(static_cast<std::uint32_t>(i));
    for (Deck& deck : decks_) random_.shuffle(std::span(deck.samples));
  }

  void deal(std::uint32_t client, std::size_t count, double alpha, std::vector<std::uint32_t>& hand) {
    const std::size_t target = hand.size() + count;
    const std::vector<double> shares = random_.dirichlet(std::vector<double>(decks_.size(), alpha));
    for (std::size_t k = 0; k < decks_.size(); ++k) {
      // Rounding may let the shares sum to a little more than one.
      const std::size_t wanted =
          std::min({static_cast<std::size_t>(shares[k] * static_cast<double>(count)), decks_[k].samples.size(), target - hand.size()});
      if (decks_[k].left() < wanted) renew(decks_[k], client);
      for (std::size_t i = 0; i < wanted; ++i) take(decks_[k], client, hand);
    }
    fill(client, target - hand.size(), hand);
  }

 private:
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  void take(Deck& deck, std::uint32_t client, std::vector<std::uint32_t>& hand) {
    const std::uint32_t sample = deck.samples[deck.used++];
    holder_[sample] = client;
    hand.push_back(sample);
  }

  // A new deck of all the label's samples but those the client holds already.
  void renew(Deck& deck, std::uint32_t client) {
    const auto rest =
        std::partition(deck.samples.begin(), deck.samples.end(), [&](std::uint32_t sample) { return holder_[sample] == client; });
    deck.used = static_cast<std::size_t>(rest - deck.samples.begin());
    random_.shuffle(std::span(deck.samples).subspan(deck.used));
  }

  void fill(std::uint32_t client, std::size_t shortfall, std::vector<std::uint32_t>& hand) {
    while (shortfall > 0) {
      cumulative_.clear();
      std::size_t left = 0;
      for (const Deck& deck : decks_) cumulative_.push_back(left += deck.left());
      // Decks are in random order, so a uniform draw of samples needs only how many come from which.
      const std::size_t count = std::min(shortfall, left);
      for (const std::size_t position : random_.sample_without_replacement(left, count)) {
        const auto deck = std::upper_bound(cumulative_.begin(), cumulative_.end(), position) - cumulative_.begin();
        take(decks_[static_cast<std::size_t>(deck)], client, hand);
      }
      shortfall -= count;
      if (shortfall == 0) return;
      for (Deck& deck : decks_) renew(deck, client);
    }
  }

  Random random_;
  std::vector<Deck> decks_;
  std::vector<std::uint32_t> holder_;  // [N] the last client that took the sample
  std::vector<std::size_t> cumulative_;
};

}  // namespace

Partition dirichlet_partition(std::span<const std::uint32_t> labels, const DirichletSplit& split, Random random) {
  expect(split.clients > 0 && split.clients < std::numeric_limits<std::uint32_t>::max(),
         "partition: expected 1 to 2^32 - 2 clients, found {}", split.clients);
  expect(split.alpha > 0 && std::isfinite(split.alpha), "partition: expected a positive finite alpha, found {}", split.alpha);
  expect(split.samples_per_client >= 1 && split.samples_per_client <= labels.size(),
         "workload.samples_per_client: expected 1 to {} samples per client (the whole data set), found {}", labels.size(),
         split.samples_per_client);
  expect(labels.size() < std::numeric_limits<std::uint32_t>::max(), "partition: expected fewer than 2^32 samples, found {}", labels.size());
  Dealer dealer(labels, random);
  Partition partition{.samples_per_client = split.samples_per_client, .samples = {}};
  partition.samples.reserve(split.clients * split.samples_per_client);
  for (std::size_t client = 0; client < split.clients; ++client) {
    dealer.deal(static_cast<std::uint32_t>(client), split.samples_per_client, split.alpha, partition.samples);
  }
  return partition;
}

}  // namespace paretofl
