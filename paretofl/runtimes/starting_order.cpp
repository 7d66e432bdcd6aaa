#include "paretofl/runtimes/starting_order.h"

#include <numeric>

#include "paretofl/core/random.h"

namespace paretofl {

std::vector<std::size_t> starting_order(std::span<const Envelope> envelopes, const ExchangeLimits& limits) {
  std::vector<std::size_t> order(envelopes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (limits.may_end_early(order.size()) && !order.empty()) {
    const Request& first = envelopes.front().request;
    Random({first.seed, first.round, kServerStream}, "starting order of " + first.verb).shuffle(std::span(order));
  }
  return order;
}

}  // namespace paretofl
