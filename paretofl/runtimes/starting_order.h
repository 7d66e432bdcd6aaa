#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/exchange_limits.h"
#include "paretofl/core/request.h"

namespace paretofl {

/// The order in which a runtime that cannot start all requests at once starts them: that of the envelopes. If the exchange may end early,
/// the order is drawn from the first envelope's seed and round and from its verb, so that it is not always the same clients that are late.
std::vector<std::size_t> starting_order(std::span<const Envelope> envelopes, const ExchangeLimits& limits);

}  // namespace paretofl
