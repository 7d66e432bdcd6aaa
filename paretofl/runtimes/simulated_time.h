#pragma once

#include <cstdint>
#include <memory>

#include "paretofl/core/runtime.h"
#include "paretofl/runtimes/runtime_options.h"

namespace paretofl {

/// The runtime itself, or, if options.simulated_seconds is more than 0, one around it in which clients take simulated time, so that
/// stragglers can be studied without waiting and with the same bits in every runtime, on any number of threads.
///
/// Each client takes simulated_seconds for an exchange, times a number drawn uniformly from [1 - spread, 1 + spread], times
/// straggler_slowdown for the stragglers: round(straggler_share * num_clients) clients drawn from `seed`. The limits of an exchange go by
/// this time. Clients that would be late don't compute: nobody sees what they would have done. What clients are asked for checkpoints takes
/// no time. Throws Error if stragglers or a spread are set without simulated_seconds.
std::unique_ptr<Runtime> with_simulated_time(std::unique_ptr<Runtime> runtime, const RuntimeOptions& options, std::uint64_t seed,
                                             int num_clients);

}  // namespace paretofl
