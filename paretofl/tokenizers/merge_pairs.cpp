#include "paretofl/tokenizers/merge_pairs.h"

#include <cstdint>
#include <queue>
#include <utility>

namespace paretofl {
namespace {

/// The symbols as a linked list, and the possible merges as a heap.
class Merger {
 public:
  Merger(std::vector<Symbol>& symbols, const PairRules& rules) : symbols_(symbols), rules_(rules), links_(symbols.size()) {
    const auto size = static_cast<std::int32_t>(symbols.size());
    for (std::int32_t i = 0; i < size; ++i) link(i) = {i - 1, i + 1 < size ? i + 1 : kNone};
    for (std::int32_t i = 0; i + 1 < size; ++i) propose(i);
  }

  void run() {
    while (!proposals_.empty()) {
      const auto [rank, left] = proposals_.top();
      proposals_.pop();
      merge(rank, left);
    }
    std::size_t kept = 0;
    for (std::int32_t i = symbols_.empty() ? kNone : 0; i != kNone; i = link(i).after) symbols_[kept++] = symbol(i);
    symbols_.resize(kept);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct Link {
    std::int32_t before = kNone, after = kNone;
    bool gone = false;
  };
  using Proposal = std::pair<double, std::int32_t>;  ///< rank, index of the left symbol

  Symbol& symbol(std::int32_t index) { return symbols_[static_cast<std::size_t>(index)]; }
  Link& link(std::int32_t index) { return links_[static_cast<std::size_t>(index)]; }

  void propose(std::int32_t left) {
    if (const auto rule = rules_(symbol(left), symbol(link(left).after))) proposals_.emplace(rule->rank, left);
  }

  /// Proposals outlive what they were made for: those are passed over.
  void merge(double rank, std::int32_t left) {
    const std::int32_t right = link(left).after;
    if (link(left).gone || right == kNone) return;
    const auto rule = rules_(symbol(left), symbol(right));
    if (!rule || rule->rank != rank) return;
    const std::string_view text = symbol(left).text;
    symbol(left) = {rule->result, {text.data(), text.size() + symbol(right).text.size()}};
    link(right).gone = true;
    link(left).after = link(right).after;
    if (link(left).after != kNone) {
      link(link(left).after).before = left;
      propose(left);
    }
    if (link(left).before != kNone) propose(link(left).before);
  }

  std::vector<Symbol>& symbols_;
  const PairRules& rules_;
  std::vector<Link> links_;
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<>> proposals_;
};

}  // namespace

void merge_pairs(std::vector<Symbol>& symbols, const PairRules& rules) { Merger(symbols, rules).run(); }

}  // namespace paretofl
